// Synthesised sounds of wood. They are off until the reader turns them on.

import { storage } from './storage.js';

const KEPT = 'sound';

/** @type {AudioContext | undefined} */
let audio;

export const isOn = () => storage.get(KEPT) === 'on';

/** @param {boolean} on */
export function turn(on) {
  storage.set(KEPT, on ? 'on' : 'off');
  if (on) knock();
}

/**
 * A short burst of noise through a narrow filter: wood on wood.
 * @param {number} after seconds from now
 * @param {number} pitch in hertz
 * @param {number} loud 0 to 1
 */
function tap(after, pitch, loud) {
  audio ??= new AudioContext();
  const length = Math.floor(0.06 * audio.sampleRate);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let n = 0; n < length; n += 1) samples[n] = (2 * Math.random() - 1) * (1 - n / length) ** 4;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch, Q: 3 });
  source.connect(filter).connect(new GainNode(audio, { gain: loud })).connect(audio.destination);
  source.start(audio.currentTime + after);
}

/** The sound of a piece that is put down. */
export function knock() {
  if (isOn()) tap(0, 700, 1);
}

/** The sound of rolling dice. */
export function rattle() {
  if (isOn()) for (let n = 0; n < 5; n += 1) tap(0.09 * n, 1500 + 600 * Math.random(), 0.35);
}
