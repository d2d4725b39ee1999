#ifndef NOROSHI_WEB_FILES_H
#define NOROSHI_WEB_FILES_H

#include <stddef.h>

/// A template, word list, style sheet, script or picture that is part of the binary.
struct web_file {
    /// The path below Sources/Web, such as "Console/Assets/console.css".
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

size_t web_file_count(void);
struct web_file web_file_at(size_t index);

#endif
