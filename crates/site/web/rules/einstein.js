// The rules of EinStein würfelt nicht!, with pictures.

import { t } from '../language.js';

/** @type {Rules[number]} */
const CHOICE = {
  title: t('heading.gone'),
  text: t('rule.choice'),
  position: '5/1C3/2F2/3e1/4b r 4 9',
};

/** @type {Rules[number]} */
const NEAREST = {
  title: t('heading.gone'),
  text: t('rule.nearest'),
  position: '5/1C3/2F2/3e1/4b r 4 9',
};

/** @type {Rules} */
const FIRST = [
  {
    title: t('heading.aim'),
    text: t('rule.aim'),
    position: 'ABC2/DE3/F3f/3ed/2cba r - 1',
  },
  {
    title: t('heading.setup'),
    text: t('rule.setup'),
    position: 'FAB2/CE3/D3d/3ce/2bfa r - 1',
  },
  {
    title: t('heading.roll'),
    text: t('rule.roll'),
    position: 'ABC2/DE3/F3f/3ed/2cba r 4 1',
  },
];

/** @type {Rules} */
const LATER = [
  {
    title: t('heading.capture'),
    text: t('rule.capture'),
    position: '5/1B3/2A2/2c2/4b r 2 9',
  },
  {
    title: t('heading.end'),
    text: t('rule.end'),
    position: '5/b4/5/3A1/5 r 1 15',
  },
];

/** @type {Rules} */
const KNOWN = [
  {
    title: t('heading.worth'),
    text: t('rule.worth'),
    position: '5/5/2C2/5/2cba r - 1',
  },
];

/** The rules of a variant. @param {string} name @returns {Rules} */
export const rules = (name) =>
  name === 'einstein-nearest' ? [...FIRST, NEAREST, ...LATER] : [...FIRST, CHOICE, ...LATER, ...KNOWN];
