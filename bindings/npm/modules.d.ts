// What index.ts imports without a path: check.mjs gives these to the bundler.

declare module 'engine.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module 'worker.txt' {
  const program: string;
  export default program;
}
