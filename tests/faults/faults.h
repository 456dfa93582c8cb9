/* See faults.c. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>

/* Makes the allocation of that number, counted from now and from 1, fail once. */
void faults_arm(long allocation);

/* Lets everything succeed again. Returns whether that allocation has been asked for. */
bool faults_disarm(void);

/* Blocks allocated and not freed. */
long faults_live(void);

#endif
