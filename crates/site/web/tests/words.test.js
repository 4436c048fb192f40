// How numbers are written; this needs no browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signed } from '../dom.js';

test('a number has one sign, and what rounds to zero has none', () => {
  assert.deepEqual([7.16, -7.16, 0, -0, -0.04, 0.04].map((value) => signed(value)), ['+7.2', '−7.2', '0.0', '0.0', '0.0', '0.0']);
  assert.deepEqual([-0.4, -12.6].map((value) => signed(value, 0)), ['0', '−13']);
});
