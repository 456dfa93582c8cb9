/* The name that a misspelt one was meant to be. */
#ifndef NK_SUGGEST_H
#define NK_SUGGEST_H

/* A search for the name that a misspelt one was meant to be. Initially only `typed` is set. */
struct nk_suggestion {
    const char *typed; /* the misspelt name */
    const char *name;  /* the most similar name so far, or NULL if none is similar */
    int distance;      /* between the two, if there is a name */
};

/* Compares another name, of 2 to 30 bytes, with the misspelt one. */
void nk_suggest(struct nk_suggestion *suggestion, const char *name);

#endif
