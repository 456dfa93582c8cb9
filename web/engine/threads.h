/* How many threads solve a board or verify a table in WebAssembly. */
#ifndef NK_WEB_THREADS_H
#define NK_WEB_THREADS_H

enum { NK_WEB_THREADS = 16 }; /* the helpers among them have stacks in web/engine/parallel_wasm.c */

#endif
