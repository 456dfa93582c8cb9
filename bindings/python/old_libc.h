/* Included before everything else. With version 2.38 and later of the GNU C library, strtol() and others would become
 * functions that older versions lack. What C23 adds to them is not used here. */
#include <limits.h> /* one of those that decide it */

#undef __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C23_STRTOL 0
