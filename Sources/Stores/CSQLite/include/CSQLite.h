#ifndef NOROSHI_CSQLITE_H
#define NOROSHI_CSQLITE_H

/// Lets SQLite not count the memory that it has: the count is one for the whole process, and all of its
/// connections wait for each other with every piece of memory that they take or give back.
///
/// It is in C because Swift cannot call a function with any number of arguments. Only before the first
/// connection; later it does nothing.
void sqlite_does_not_count_memory(void);

#endif
