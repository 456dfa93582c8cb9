// Optional sounds. No sound is stored: each is computed.

import type { Settings } from './state/types.js';

let context: AudioContext | undefined;

/** A short tone that fades; `when` in seconds from now. */
function tone(frequency: number, seconds: number, volume: number, when = 0) {
  context ??= new AudioContext();
  const begin = context.currentTime + when;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.setValueAtTime(frequency, begin);
  oscillator.frequency.exponentialRampToValueAtTime(frequency * 0.6, begin + seconds);
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + seconds);
}

const SOUNDS = {
  move: () => tone(220, 0.09, 0.25),
  won: () => [392, 494, 587, 784].forEach((frequency, i) => tone(frequency, 0.35, 0.15, i * 0.11)),
  lost: () => [330, 262].forEach((frequency, i) => tone(frequency, 0.4, 0.12, i * 0.16)),
};

/** Gives the signal 'move', 'won' or 'lost', as far as the settings allow. */
export function signal(name: keyof typeof SOUNDS, { sound }: Settings) {
  if (sound) SOUNDS[name]();
}
