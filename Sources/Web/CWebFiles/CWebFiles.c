// Written by Scripts/embed-web-files; do not edit.
#include "CWebFiles.h"

// #embed is C23; the toolchains we build with know it in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../Console/Assets/base.css"
};
static const unsigned char file1[] = {
#embed "../Console/Assets/composer.js"
};
static const unsigned char file2[] = {
#embed "../Console/Assets/console.css"
};
static const unsigned char file3[] = {
#embed "../Console/Assets/console.js"
};
static const unsigned char file4[] = {
#embed "../Console/Assets/favicon.svg"
};
static const unsigned char file5[] = {
#embed "../Console/Assets/forms.css"
};
static const unsigned char file6[] = {
#embed "../Console/Assets/icons.svg"
};
static const unsigned char file7[] = {
#embed "../Console/Assets/live.js"
};
static const unsigned char file8[] = {
#embed "../Console/Assets/login.css"
};
static const unsigned char file9[] = {
#embed "../Console/Assets/overview.css"
};
static const unsigned char file10[] = {
#embed "../Console/Assets/push.css"
};
static const unsigned char file11[] = {
#embed "../Console/Assets/shell.css"
};
static const unsigned char file12[] = {
#embed "../Console/Assets/suggest.js"
};
static const unsigned char file13[] = {
#embed "../Console/Assets/tables.css"
};
static const unsigned char file14[] = {
#embed "../Console/Assets/tokens.css"
};
static const unsigned char file15[] = {
#embed "../Console/Templates/banner.mustache"
};
static const unsigned char file16[] = {
#embed "../Console/Templates/head.mustache"
};
static const unsigned char file17[] = {
#embed "../Console/Templates/hill.mustache"
};
static const unsigned char file18[] = {
#embed "../Console/Templates/insert.mustache"
};
static const unsigned char file19[] = {
#embed "../Console/Templates/languages.mustache"
};
static const unsigned char file20[] = {
#embed "../Console/Templates/layout.mustache"
};
static const unsigned char file21[] = {
#embed "../Console/Templates/line-chart.mustache"
};
static const unsigned char file22[] = {
#embed "../Console/Templates/login.mustache"
};
static const unsigned char file23[] = {
#embed "../Console/Templates/mark.mustache"
};
static const unsigned char file24[] = {
#embed "../Console/Templates/overview.mustache"
};
static const unsigned char file25[] = {
#embed "../Console/Templates/pager.mustache"
};
static const unsigned char file26[] = {
#embed "../Console/Templates/problem.mustache"
};
static const unsigned char file27[] = {
#embed "../Console/Templates/push-composer.mustache"
};
static const unsigned char file28[] = {
#embed "../Console/Templates/push-detail.mustache"
};
static const unsigned char file29[] = {
#embed "../Console/Templates/push-history.mustache"
};
static const unsigned char file30[] = {
#embed "../Console/Templates/push-item.mustache"
};
static const unsigned char file31[] = {
#embed "../Console/Templates/push-review.mustache"
};
static const unsigned char file32[] = {
#embed "../Console/Templates/push-state.mustache"
};
static const unsigned char file33[] = {
#embed "../Console/Templates/who.mustache"
};
static const unsigned char file34[] = {
#embed "../Console/Words/push.json"
};
static const unsigned char file35[] = {
#embed "../Console/Words/site.json"
};
static const unsigned char file36[] = {
#embed "../Phones/Assets/device.css"
};
static const unsigned char file37[] = {
#embed "../Phones/Assets/device.js"
};
static const unsigned char file38[] = {
#embed "../Phones/Assets/dom.js"
};
static const unsigned char file39[] = {
#embed "../Phones/Assets/expanded.js"
};
static const unsigned char file40[] = {
#embed "../Phones/Assets/log.js"
};
static const unsigned char file41[] = {
#embed "../Phones/Assets/notifications.css"
};
static const unsigned char file42[] = {
#embed "../Phones/Assets/notifications.js"
};
static const unsigned char file43[] = {
#embed "../Phones/Assets/page.css"
};
static const unsigned char file44[] = {
#embed "../Phones/Assets/phone-icons.svg"
};
static const unsigned char file45[] = {
#embed "../Phones/Assets/phone.js"
};
static const unsigned char file46[] = {
#embed "../Phones/Templates/phone.mustache"
};
static const unsigned char file47[] = {
#embed "../Phones/Words/phone.json"
};

static const struct web_file files[] = {
    {"Console/Assets/base.css", file0, sizeof file0},
    {"Console/Assets/composer.js", file1, sizeof file1},
    {"Console/Assets/console.css", file2, sizeof file2},
    {"Console/Assets/console.js", file3, sizeof file3},
    {"Console/Assets/favicon.svg", file4, sizeof file4},
    {"Console/Assets/forms.css", file5, sizeof file5},
    {"Console/Assets/icons.svg", file6, sizeof file6},
    {"Console/Assets/live.js", file7, sizeof file7},
    {"Console/Assets/login.css", file8, sizeof file8},
    {"Console/Assets/overview.css", file9, sizeof file9},
    {"Console/Assets/push.css", file10, sizeof file10},
    {"Console/Assets/shell.css", file11, sizeof file11},
    {"Console/Assets/suggest.js", file12, sizeof file12},
    {"Console/Assets/tables.css", file13, sizeof file13},
    {"Console/Assets/tokens.css", file14, sizeof file14},
    {"Console/Templates/banner.mustache", file15, sizeof file15},
    {"Console/Templates/head.mustache", file16, sizeof file16},
    {"Console/Templates/hill.mustache", file17, sizeof file17},
    {"Console/Templates/insert.mustache", file18, sizeof file18},
    {"Console/Templates/languages.mustache", file19, sizeof file19},
    {"Console/Templates/layout.mustache", file20, sizeof file20},
    {"Console/Templates/line-chart.mustache", file21, sizeof file21},
    {"Console/Templates/login.mustache", file22, sizeof file22},
    {"Console/Templates/mark.mustache", file23, sizeof file23},
    {"Console/Templates/overview.mustache", file24, sizeof file24},
    {"Console/Templates/pager.mustache", file25, sizeof file25},
    {"Console/Templates/problem.mustache", file26, sizeof file26},
    {"Console/Templates/push-composer.mustache", file27, sizeof file27},
    {"Console/Templates/push-detail.mustache", file28, sizeof file28},
    {"Console/Templates/push-history.mustache", file29, sizeof file29},
    {"Console/Templates/push-item.mustache", file30, sizeof file30},
    {"Console/Templates/push-review.mustache", file31, sizeof file31},
    {"Console/Templates/push-state.mustache", file32, sizeof file32},
    {"Console/Templates/who.mustache", file33, sizeof file33},
    {"Console/Words/push.json", file34, sizeof file34},
    {"Console/Words/site.json", file35, sizeof file35},
    {"Phones/Assets/device.css", file36, sizeof file36},
    {"Phones/Assets/device.js", file37, sizeof file37},
    {"Phones/Assets/dom.js", file38, sizeof file38},
    {"Phones/Assets/expanded.js", file39, sizeof file39},
    {"Phones/Assets/log.js", file40, sizeof file40},
    {"Phones/Assets/notifications.css", file41, sizeof file41},
    {"Phones/Assets/notifications.js", file42, sizeof file42},
    {"Phones/Assets/page.css", file43, sizeof file43},
    {"Phones/Assets/phone-icons.svg", file44, sizeof file44},
    {"Phones/Assets/phone.js", file45, sizeof file45},
    {"Phones/Templates/phone.mustache", file46, sizeof file46},
    {"Phones/Words/phone.json", file47, sizeof file47},
};

size_t web_file_count(void) { return sizeof files / sizeof *files; }
struct web_file web_file_at(size_t index) { return files[index]; }
