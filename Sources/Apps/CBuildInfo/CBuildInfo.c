#include "CBuildInfo.h"

#define NOROSHI_TEXT_OF(word) #word
#define NOROSHI_TEXT(word) NOROSHI_TEXT_OF(word)

#ifndef NOROSHI_COMMIT
#define NOROSHI_COMMIT
#endif

const char *noroshi_build_commit(void) { return NOROSHI_TEXT(NOROSHI_COMMIT); }
