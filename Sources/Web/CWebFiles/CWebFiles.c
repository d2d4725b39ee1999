// Written by Scripts/embed-web-files; do not edit.
#include "CWebFiles.h"

// #embed is C23; the toolchains we build with know it in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../API/Assets/reference.css"
};
static const unsigned char file1[] = {
#embed "../API/Templates/api-reference.mustache"
};
static const unsigned char file2[] = {
#embed "../Console/Assets/base.css"
};
static const unsigned char file3[] = {
#embed "../Console/Assets/composer.js"
};
static const unsigned char file4[] = {
#embed "../Console/Assets/console.css"
};
static const unsigned char file5[] = {
#embed "../Console/Assets/console.js"
};
static const unsigned char file6[] = {
#embed "../Console/Assets/favicon.svg"
};
static const unsigned char file7[] = {
#embed "../Console/Assets/forms.css"
};
static const unsigned char file8[] = {
#embed "../Console/Assets/icons.svg"
};
static const unsigned char file9[] = {
#embed "../Console/Assets/live.js"
};
static const unsigned char file10[] = {
#embed "../Console/Assets/login.css"
};
static const unsigned char file11[] = {
#embed "../Console/Assets/overview.css"
};
static const unsigned char file12[] = {
#embed "../Console/Assets/pages.css"
};
static const unsigned char file13[] = {
#embed "../Console/Assets/palette.js"
};
static const unsigned char file14[] = {
#embed "../Console/Assets/push.css"
};
static const unsigned char file15[] = {
#embed "../Console/Assets/segment.js"
};
static const unsigned char file16[] = {
#embed "../Console/Assets/shell.css"
};
static const unsigned char file17[] = {
#embed "../Console/Assets/suggest.js"
};
static const unsigned char file18[] = {
#embed "../Console/Assets/tables.css"
};
static const unsigned char file19[] = {
#embed "../Console/Assets/tokens.css"
};
static const unsigned char file20[] = {
#embed "../Console/Templates/attributes.mustache"
};
static const unsigned char file21[] = {
#embed "../Console/Templates/banner.mustache"
};
static const unsigned char file22[] = {
#embed "../Console/Templates/condition-attributes.mustache"
};
static const unsigned char file23[] = {
#embed "../Console/Templates/condition-events.mustache"
};
static const unsigned char file24[] = {
#embed "../Console/Templates/events.mustache"
};
static const unsigned char file25[] = {
#embed "../Console/Templates/head.mustache"
};
static const unsigned char file26[] = {
#embed "../Console/Templates/hill.mustache"
};
static const unsigned char file27[] = {
#embed "../Console/Templates/insert.mustache"
};
static const unsigned char file28[] = {
#embed "../Console/Templates/languages.mustache"
};
static const unsigned char file29[] = {
#embed "../Console/Templates/layout.mustache"
};
static const unsigned char file30[] = {
#embed "../Console/Templates/line-chart.mustache"
};
static const unsigned char file31[] = {
#embed "../Console/Templates/login.mustache"
};
static const unsigned char file32[] = {
#embed "../Console/Templates/mark.mustache"
};
static const unsigned char file33[] = {
#embed "../Console/Templates/news-item.mustache"
};
static const unsigned char file34[] = {
#embed "../Console/Templates/news.mustache"
};
static const unsigned char file35[] = {
#embed "../Console/Templates/overview.mustache"
};
static const unsigned char file36[] = {
#embed "../Console/Templates/pager.mustache"
};
static const unsigned char file37[] = {
#embed "../Console/Templates/problem.mustache"
};
static const unsigned char file38[] = {
#embed "../Console/Templates/push-composer.mustache"
};
static const unsigned char file39[] = {
#embed "../Console/Templates/push-detail.mustache"
};
static const unsigned char file40[] = {
#embed "../Console/Templates/push-history.mustache"
};
static const unsigned char file41[] = {
#embed "../Console/Templates/push-item.mustache"
};
static const unsigned char file42[] = {
#embed "../Console/Templates/push-review.mustache"
};
static const unsigned char file43[] = {
#embed "../Console/Templates/push-state.mustache"
};
static const unsigned char file44[] = {
#embed "../Console/Templates/segment.mustache"
};
static const unsigned char file45[] = {
#embed "../Console/Templates/segments.mustache"
};
static const unsigned char file46[] = {
#embed "../Console/Templates/settings-apps.mustache"
};
static const unsigned char file47[] = {
#embed "../Console/Templates/settings-audit.mustache"
};
static const unsigned char file48[] = {
#embed "../Console/Templates/settings-keys.mustache"
};
static const unsigned char file49[] = {
#embed "../Console/Templates/settings-tabs.mustache"
};
static const unsigned char file50[] = {
#embed "../Console/Templates/settings-team.mustache"
};
static const unsigned char file51[] = {
#embed "../Console/Templates/user.mustache"
};
static const unsigned char file52[] = {
#embed "../Console/Templates/users.mustache"
};
static const unsigned char file53[] = {
#embed "../Console/Templates/who.mustache"
};
static const unsigned char file54[] = {
#embed "../Console/Words/events.json"
};
static const unsigned char file55[] = {
#embed "../Console/Words/news.json"
};
static const unsigned char file56[] = {
#embed "../Console/Words/people.json"
};
static const unsigned char file57[] = {
#embed "../Console/Words/push.json"
};
static const unsigned char file58[] = {
#embed "../Console/Words/settings.json"
};
static const unsigned char file59[] = {
#embed "../Console/Words/site.json"
};
static const unsigned char file60[] = {
#embed "../Phones/Assets/device.css"
};
static const unsigned char file61[] = {
#embed "../Phones/Assets/device.js"
};
static const unsigned char file62[] = {
#embed "../Phones/Assets/dom.js"
};
static const unsigned char file63[] = {
#embed "../Phones/Assets/expanded.js"
};
static const unsigned char file64[] = {
#embed "../Phones/Assets/log.js"
};
static const unsigned char file65[] = {
#embed "../Phones/Assets/notifications.css"
};
static const unsigned char file66[] = {
#embed "../Phones/Assets/notifications.js"
};
static const unsigned char file67[] = {
#embed "../Phones/Assets/page.css"
};
static const unsigned char file68[] = {
#embed "../Phones/Assets/phone-icons.svg"
};
static const unsigned char file69[] = {
#embed "../Phones/Assets/phone.js"
};
static const unsigned char file70[] = {
#embed "../Phones/Templates/phone.mustache"
};
static const unsigned char file71[] = {
#embed "../Phones/Words/phone.json"
};
static const unsigned char file72[] = {
#embed "../../../Clients/web/noroshi.js"
};
static const unsigned char file73[] = {
#embed "../../../Clients/web/outbox.js"
};
static const unsigned char file74[] = {
#embed "../../../Clients/web/worker.js"
};

static const struct web_file files[] = {
    {"API/Assets/reference.css", file0, sizeof file0},
    {"API/Templates/api-reference.mustache", file1, sizeof file1},
    {"Console/Assets/base.css", file2, sizeof file2},
    {"Console/Assets/composer.js", file3, sizeof file3},
    {"Console/Assets/console.css", file4, sizeof file4},
    {"Console/Assets/console.js", file5, sizeof file5},
    {"Console/Assets/favicon.svg", file6, sizeof file6},
    {"Console/Assets/forms.css", file7, sizeof file7},
    {"Console/Assets/icons.svg", file8, sizeof file8},
    {"Console/Assets/live.js", file9, sizeof file9},
    {"Console/Assets/login.css", file10, sizeof file10},
    {"Console/Assets/overview.css", file11, sizeof file11},
    {"Console/Assets/pages.css", file12, sizeof file12},
    {"Console/Assets/palette.js", file13, sizeof file13},
    {"Console/Assets/push.css", file14, sizeof file14},
    {"Console/Assets/segment.js", file15, sizeof file15},
    {"Console/Assets/shell.css", file16, sizeof file16},
    {"Console/Assets/suggest.js", file17, sizeof file17},
    {"Console/Assets/tables.css", file18, sizeof file18},
    {"Console/Assets/tokens.css", file19, sizeof file19},
    {"Console/Templates/attributes.mustache", file20, sizeof file20},
    {"Console/Templates/banner.mustache", file21, sizeof file21},
    {"Console/Templates/condition-attributes.mustache", file22, sizeof file22},
    {"Console/Templates/condition-events.mustache", file23, sizeof file23},
    {"Console/Templates/events.mustache", file24, sizeof file24},
    {"Console/Templates/head.mustache", file25, sizeof file25},
    {"Console/Templates/hill.mustache", file26, sizeof file26},
    {"Console/Templates/insert.mustache", file27, sizeof file27},
    {"Console/Templates/languages.mustache", file28, sizeof file28},
    {"Console/Templates/layout.mustache", file29, sizeof file29},
    {"Console/Templates/line-chart.mustache", file30, sizeof file30},
    {"Console/Templates/login.mustache", file31, sizeof file31},
    {"Console/Templates/mark.mustache", file32, sizeof file32},
    {"Console/Templates/news-item.mustache", file33, sizeof file33},
    {"Console/Templates/news.mustache", file34, sizeof file34},
    {"Console/Templates/overview.mustache", file35, sizeof file35},
    {"Console/Templates/pager.mustache", file36, sizeof file36},
    {"Console/Templates/problem.mustache", file37, sizeof file37},
    {"Console/Templates/push-composer.mustache", file38, sizeof file38},
    {"Console/Templates/push-detail.mustache", file39, sizeof file39},
    {"Console/Templates/push-history.mustache", file40, sizeof file40},
    {"Console/Templates/push-item.mustache", file41, sizeof file41},
    {"Console/Templates/push-review.mustache", file42, sizeof file42},
    {"Console/Templates/push-state.mustache", file43, sizeof file43},
    {"Console/Templates/segment.mustache", file44, sizeof file44},
    {"Console/Templates/segments.mustache", file45, sizeof file45},
    {"Console/Templates/settings-apps.mustache", file46, sizeof file46},
    {"Console/Templates/settings-audit.mustache", file47, sizeof file47},
    {"Console/Templates/settings-keys.mustache", file48, sizeof file48},
    {"Console/Templates/settings-tabs.mustache", file49, sizeof file49},
    {"Console/Templates/settings-team.mustache", file50, sizeof file50},
    {"Console/Templates/user.mustache", file51, sizeof file51},
    {"Console/Templates/users.mustache", file52, sizeof file52},
    {"Console/Templates/who.mustache", file53, sizeof file53},
    {"Console/Words/events.json", file54, sizeof file54},
    {"Console/Words/news.json", file55, sizeof file55},
    {"Console/Words/people.json", file56, sizeof file56},
    {"Console/Words/push.json", file57, sizeof file57},
    {"Console/Words/settings.json", file58, sizeof file58},
    {"Console/Words/site.json", file59, sizeof file59},
    {"Phones/Assets/device.css", file60, sizeof file60},
    {"Phones/Assets/device.js", file61, sizeof file61},
    {"Phones/Assets/dom.js", file62, sizeof file62},
    {"Phones/Assets/expanded.js", file63, sizeof file63},
    {"Phones/Assets/log.js", file64, sizeof file64},
    {"Phones/Assets/notifications.css", file65, sizeof file65},
    {"Phones/Assets/notifications.js", file66, sizeof file66},
    {"Phones/Assets/page.css", file67, sizeof file67},
    {"Phones/Assets/phone-icons.svg", file68, sizeof file68},
    {"Phones/Assets/phone.js", file69, sizeof file69},
    {"Phones/Templates/phone.mustache", file70, sizeof file70},
    {"Phones/Words/phone.json", file71, sizeof file71},
    {"WebSDK/noroshi.js", file72, sizeof file72},
    {"WebSDK/outbox.js", file73, sizeof file73},
    {"WebSDK/worker.js", file74, sizeof file74},
};

size_t web_file_count(void) { return sizeof files / sizeof *files; }
struct web_file web_file_at(size_t index) { return files[index]; }
