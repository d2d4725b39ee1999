#ifndef NOROSHI_BUILD_INFO_H
#define NOROSHI_BUILD_INFO_H

/// The commit that was built; empty where the build does not name one.
const char *noroshi_build_commit(void);

#endif
