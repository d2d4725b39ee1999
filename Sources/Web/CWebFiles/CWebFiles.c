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
#embed "../Console/Assets/campaign.js"
};
static const unsigned char file4[] = {
#embed "../Console/Assets/composer.js"
};
static const unsigned char file5[] = {
#embed "../Console/Assets/console.css"
};
static const unsigned char file6[] = {
#embed "../Console/Assets/console.js"
};
static const unsigned char file7[] = {
#embed "../Console/Assets/draft.js"
};
static const unsigned char file8[] = {
#embed "../Console/Assets/expanded.css"
};
static const unsigned char file9[] = {
#embed "../Console/Assets/expanded.js"
};
static const unsigned char file10[] = {
#embed "../Console/Assets/favicon.svg"
};
static const unsigned char file11[] = {
#embed "../Console/Assets/forms.css"
};
static const unsigned char file12[] = {
#embed "../Console/Assets/icons.svg"
};
static const unsigned char file13[] = {
#embed "../Console/Assets/in-app.css"
};
static const unsigned char file14[] = {
#embed "../Console/Assets/in-app.js"
};
static const unsigned char file15[] = {
#embed "../Console/Assets/live.js"
};
static const unsigned char file16[] = {
#embed "../Console/Assets/login.css"
};
static const unsigned char file17[] = {
#embed "../Console/Assets/overview.css"
};
static const unsigned char file18[] = {
#embed "../Console/Assets/pages.css"
};
static const unsigned char file19[] = {
#embed "../Console/Assets/palette.js"
};
static const unsigned char file20[] = {
#embed "../Console/Assets/push.css"
};
static const unsigned char file21[] = {
#embed "../Console/Assets/segment.js"
};
static const unsigned char file22[] = {
#embed "../Console/Assets/shell.css"
};
static const unsigned char file23[] = {
#embed "../Console/Assets/suggest.js"
};
static const unsigned char file24[] = {
#embed "../Console/Assets/tables.css"
};
static const unsigned char file25[] = {
#embed "../Console/Assets/tokens.css"
};
static const unsigned char file26[] = {
#embed "../Console/Templates/account.mustache"
};
static const unsigned char file27[] = {
#embed "../Console/Templates/attributes.mustache"
};
static const unsigned char file28[] = {
#embed "../Console/Templates/banner.mustache"
};
static const unsigned char file29[] = {
#embed "../Console/Templates/block.mustache"
};
static const unsigned char file30[] = {
#embed "../Console/Templates/blocks.mustache"
};
static const unsigned char file31[] = {
#embed "../Console/Templates/campaign-detail.mustache"
};
static const unsigned char file32[] = {
#embed "../Console/Templates/campaign-review.mustache"
};
static const unsigned char file33[] = {
#embed "../Console/Templates/campaign-text.mustache"
};
static const unsigned char file34[] = {
#embed "../Console/Templates/campaign.mustache"
};
static const unsigned char file35[] = {
#embed "../Console/Templates/campaigns.mustache"
};
static const unsigned char file36[] = {
#embed "../Console/Templates/catalog.mustache"
};
static const unsigned char file37[] = {
#embed "../Console/Templates/catalogs.mustache"
};
static const unsigned char file38[] = {
#embed "../Console/Templates/compose-audience.mustache"
};
static const unsigned char file39[] = {
#embed "../Console/Templates/compose-options.mustache"
};
static const unsigned char file40[] = {
#embed "../Console/Templates/compose-pairs.mustache"
};
static const unsigned char file41[] = {
#embed "../Console/Templates/compose-preview.mustache"
};
static const unsigned char file42[] = {
#embed "../Console/Templates/compose-story.mustache"
};
static const unsigned char file43[] = {
#embed "../Console/Templates/condition-attributes.mustache"
};
static const unsigned char file44[] = {
#embed "../Console/Templates/condition-events.mustache"
};
static const unsigned char file45[] = {
#embed "../Console/Templates/draft-fields.mustache"
};
static const unsigned char file46[] = {
#embed "../Console/Templates/draft-notes.mustache"
};
static const unsigned char file47[] = {
#embed "../Console/Templates/drafts.mustache"
};
static const unsigned char file48[] = {
#embed "../Console/Templates/events.mustache"
};
static const unsigned char file49[] = {
#embed "../Console/Templates/experiment-measure.mustache"
};
static const unsigned char file50[] = {
#embed "../Console/Templates/head.mustache"
};
static const unsigned char file51[] = {
#embed "../Console/Templates/hill.mustache"
};
static const unsigned char file52[] = {
#embed "../Console/Templates/in-app-click.mustache"
};
static const unsigned char file53[] = {
#embed "../Console/Templates/in-app-colors.mustache"
};
static const unsigned char file54[] = {
#embed "../Console/Templates/in-app-contact.mustache"
};
static const unsigned char file55[] = {
#embed "../Console/Templates/in-app-content.mustache"
};
static const unsigned char file56[] = {
#embed "../Console/Templates/in-app-detail.mustache"
};
static const unsigned char file57[] = {
#embed "../Console/Templates/in-app-frame.mustache"
};
static const unsigned char file58[] = {
#embed "../Console/Templates/in-app-list.mustache"
};
static const unsigned char file59[] = {
#embed "../Console/Templates/in-app-review.mustache"
};
static const unsigned char file60[] = {
#embed "../Console/Templates/in-app-trigger.mustache"
};
static const unsigned char file61[] = {
#embed "../Console/Templates/in-app-users.mustache"
};
static const unsigned char file62[] = {
#embed "../Console/Templates/in-app.mustache"
};
static const unsigned char file63[] = {
#embed "../Console/Templates/insert.mustache"
};
static const unsigned char file64[] = {
#embed "../Console/Templates/interval.mustache"
};
static const unsigned char file65[] = {
#embed "../Console/Templates/languages.mustache"
};
static const unsigned char file66[] = {
#embed "../Console/Templates/layout.mustache"
};
static const unsigned char file67[] = {
#embed "../Console/Templates/line-chart.mustache"
};
static const unsigned char file68[] = {
#embed "../Console/Templates/list-toolbar.mustache"
};
static const unsigned char file69[] = {
#embed "../Console/Templates/lists.mustache"
};
static const unsigned char file70[] = {
#embed "../Console/Templates/login.mustache"
};
static const unsigned char file71[] = {
#embed "../Console/Templates/mark.mustache"
};
static const unsigned char file72[] = {
#embed "../Console/Templates/news-item.mustache"
};
static const unsigned char file73[] = {
#embed "../Console/Templates/news.mustache"
};
static const unsigned char file74[] = {
#embed "../Console/Templates/no-enter.mustache"
};
static const unsigned char file75[] = {
#embed "../Console/Templates/outlook-warnings.mustache"
};
static const unsigned char file76[] = {
#embed "../Console/Templates/overview.mustache"
};
static const unsigned char file77[] = {
#embed "../Console/Templates/pager.mustache"
};
static const unsigned char file78[] = {
#embed "../Console/Templates/pairs.mustache"
};
static const unsigned char file79[] = {
#embed "../Console/Templates/password-link.mustache"
};
static const unsigned char file80[] = {
#embed "../Console/Templates/problem.mustache"
};
static const unsigned char file81[] = {
#embed "../Console/Templates/push-composer.mustache"
};
static const unsigned char file82[] = {
#embed "../Console/Templates/push-detail.mustache"
};
static const unsigned char file83[] = {
#embed "../Console/Templates/push-history.mustache"
};
static const unsigned char file84[] = {
#embed "../Console/Templates/push-item.mustache"
};
static const unsigned char file85[] = {
#embed "../Console/Templates/push-recipients.mustache"
};
static const unsigned char file86[] = {
#embed "../Console/Templates/push-review.mustache"
};
static const unsigned char file87[] = {
#embed "../Console/Templates/push-state.mustache"
};
static const unsigned char file88[] = {
#embed "../Console/Templates/report-funnel.mustache"
};
static const unsigned char file89[] = {
#embed "../Console/Templates/report-retention.mustache"
};
static const unsigned char file90[] = {
#embed "../Console/Templates/report-scope.mustache"
};
static const unsigned char file91[] = {
#embed "../Console/Templates/report-series.mustache"
};
static const unsigned char file92[] = {
#embed "../Console/Templates/report-tabs.mustache"
};
static const unsigned char file93[] = {
#embed "../Console/Templates/segment-rows.mustache"
};
static const unsigned char file94[] = {
#embed "../Console/Templates/segment.mustache"
};
static const unsigned char file95[] = {
#embed "../Console/Templates/segments.mustache"
};
static const unsigned char file96[] = {
#embed "../Console/Templates/settings-apps.mustache"
};
static const unsigned char file97[] = {
#embed "../Console/Templates/settings-audit.mustache"
};
static const unsigned char file98[] = {
#embed "../Console/Templates/settings-keys.mustache"
};
static const unsigned char file99[] = {
#embed "../Console/Templates/settings-languages.mustache"
};
static const unsigned char file100[] = {
#embed "../Console/Templates/settings-limits.mustache"
};
static const unsigned char file101[] = {
#embed "../Console/Templates/settings-system.mustache"
};
static const unsigned char file102[] = {
#embed "../Console/Templates/settings-tabs.mustache"
};
static const unsigned char file103[] = {
#embed "../Console/Templates/settings-team.mustache"
};
static const unsigned char file104[] = {
#embed "../Console/Templates/settings-workspace.mustache"
};
static const unsigned char file105[] = {
#embed "../Console/Templates/user-timeline.mustache"
};
static const unsigned char file106[] = {
#embed "../Console/Templates/user.mustache"
};
static const unsigned char file107[] = {
#embed "../Console/Templates/users.mustache"
};
static const unsigned char file108[] = {
#embed "../Console/Templates/uses.mustache"
};
static const unsigned char file109[] = {
#embed "../Console/Templates/who.mustache"
};
static const unsigned char file110[] = {
#embed "../Console/Templates/why.mustache"
};
static const unsigned char file111[] = {
#embed "../Console/Words/campaigns.json"
};
static const unsigned char file112[] = {
#embed "../Console/Words/content.json"
};
static const unsigned char file113[] = {
#embed "../Console/Words/events.json"
};
static const unsigned char file114[] = {
#embed "../Console/Words/experiments.json"
};
static const unsigned char file115[] = {
#embed "../Console/Words/in-app.json"
};
static const unsigned char file116[] = {
#embed "../Console/Words/news.json"
};
static const unsigned char file117[] = {
#embed "../Console/Words/people.json"
};
static const unsigned char file118[] = {
#embed "../Console/Words/push.json"
};
static const unsigned char file119[] = {
#embed "../Console/Words/reasons-content.json"
};
static const unsigned char file120[] = {
#embed "../Console/Words/reasons-credentials.json"
};
static const unsigned char file121[] = {
#embed "../Console/Words/reasons-segments.json"
};
static const unsigned char file122[] = {
#embed "../Console/Words/reasons-templates.json"
};
static const unsigned char file123[] = {
#embed "../Console/Words/reasons.json"
};
static const unsigned char file124[] = {
#embed "../Console/Words/reports.json"
};
static const unsigned char file125[] = {
#embed "../Console/Words/settings.json"
};
static const unsigned char file126[] = {
#embed "../Console/Words/site.json"
};
static const unsigned char file127[] = {
#embed "../Console/Words/why.json"
};
static const unsigned char file128[] = {
#embed "../Phones/Assets/device.css"
};
static const unsigned char file129[] = {
#embed "../Phones/Assets/device.js"
};
static const unsigned char file130[] = {
#embed "../Phones/Assets/dom.js"
};
static const unsigned char file131[] = {
#embed "../Phones/Assets/expanded.js"
};
static const unsigned char file132[] = {
#embed "../Phones/Assets/log.js"
};
static const unsigned char file133[] = {
#embed "../Phones/Assets/notifications.css"
};
static const unsigned char file134[] = {
#embed "../Phones/Assets/notifications.js"
};
static const unsigned char file135[] = {
#embed "../Phones/Assets/page.css"
};
static const unsigned char file136[] = {
#embed "../Phones/Assets/phone-icons.svg"
};
static const unsigned char file137[] = {
#embed "../Phones/Assets/phone.js"
};
static const unsigned char file138[] = {
#embed "../Phones/Assets/shop.js"
};
static const unsigned char file139[] = {
#embed "../Phones/Assets/story.js"
};
static const unsigned char file140[] = {
#embed "../Phones/Templates/phone.mustache"
};
static const unsigned char file141[] = {
#embed "../Phones/Words/phone.json"
};
static const unsigned char file142[] = {
#embed "../../../Clients/web/bridge.js"
};
static const unsigned char file143[] = {
#embed "../../../Clients/web/in-app.js"
};
static const unsigned char file144[] = {
#embed "../../../Clients/web/messages.js"
};
static const unsigned char file145[] = {
#embed "../../../Clients/web/noroshi.js"
};
static const unsigned char file146[] = {
#embed "../../../Clients/web/outbox.js"
};
static const unsigned char file147[] = {
#embed "../../../Clients/web/worker.js"
};

static const struct web_file files[] = {
    {"API/Assets/reference.css", file0, sizeof file0},
    {"API/Templates/api-reference.mustache", file1, sizeof file1},
    {"Console/Assets/base.css", file2, sizeof file2},
    {"Console/Assets/campaign.js", file3, sizeof file3},
    {"Console/Assets/composer.js", file4, sizeof file4},
    {"Console/Assets/console.css", file5, sizeof file5},
    {"Console/Assets/console.js", file6, sizeof file6},
    {"Console/Assets/draft.js", file7, sizeof file7},
    {"Console/Assets/expanded.css", file8, sizeof file8},
    {"Console/Assets/expanded.js", file9, sizeof file9},
    {"Console/Assets/favicon.svg", file10, sizeof file10},
    {"Console/Assets/forms.css", file11, sizeof file11},
    {"Console/Assets/icons.svg", file12, sizeof file12},
    {"Console/Assets/in-app.css", file13, sizeof file13},
    {"Console/Assets/in-app.js", file14, sizeof file14},
    {"Console/Assets/live.js", file15, sizeof file15},
    {"Console/Assets/login.css", file16, sizeof file16},
    {"Console/Assets/overview.css", file17, sizeof file17},
    {"Console/Assets/pages.css", file18, sizeof file18},
    {"Console/Assets/palette.js", file19, sizeof file19},
    {"Console/Assets/push.css", file20, sizeof file20},
    {"Console/Assets/segment.js", file21, sizeof file21},
    {"Console/Assets/shell.css", file22, sizeof file22},
    {"Console/Assets/suggest.js", file23, sizeof file23},
    {"Console/Assets/tables.css", file24, sizeof file24},
    {"Console/Assets/tokens.css", file25, sizeof file25},
    {"Console/Templates/account.mustache", file26, sizeof file26},
    {"Console/Templates/attributes.mustache", file27, sizeof file27},
    {"Console/Templates/banner.mustache", file28, sizeof file28},
    {"Console/Templates/block.mustache", file29, sizeof file29},
    {"Console/Templates/blocks.mustache", file30, sizeof file30},
    {"Console/Templates/campaign-detail.mustache", file31, sizeof file31},
    {"Console/Templates/campaign-review.mustache", file32, sizeof file32},
    {"Console/Templates/campaign-text.mustache", file33, sizeof file33},
    {"Console/Templates/campaign.mustache", file34, sizeof file34},
    {"Console/Templates/campaigns.mustache", file35, sizeof file35},
    {"Console/Templates/catalog.mustache", file36, sizeof file36},
    {"Console/Templates/catalogs.mustache", file37, sizeof file37},
    {"Console/Templates/compose-audience.mustache", file38, sizeof file38},
    {"Console/Templates/compose-options.mustache", file39, sizeof file39},
    {"Console/Templates/compose-pairs.mustache", file40, sizeof file40},
    {"Console/Templates/compose-preview.mustache", file41, sizeof file41},
    {"Console/Templates/compose-story.mustache", file42, sizeof file42},
    {"Console/Templates/condition-attributes.mustache", file43, sizeof file43},
    {"Console/Templates/condition-events.mustache", file44, sizeof file44},
    {"Console/Templates/draft-fields.mustache", file45, sizeof file45},
    {"Console/Templates/draft-notes.mustache", file46, sizeof file46},
    {"Console/Templates/drafts.mustache", file47, sizeof file47},
    {"Console/Templates/events.mustache", file48, sizeof file48},
    {"Console/Templates/experiment-measure.mustache", file49, sizeof file49},
    {"Console/Templates/head.mustache", file50, sizeof file50},
    {"Console/Templates/hill.mustache", file51, sizeof file51},
    {"Console/Templates/in-app-click.mustache", file52, sizeof file52},
    {"Console/Templates/in-app-colors.mustache", file53, sizeof file53},
    {"Console/Templates/in-app-contact.mustache", file54, sizeof file54},
    {"Console/Templates/in-app-content.mustache", file55, sizeof file55},
    {"Console/Templates/in-app-detail.mustache", file56, sizeof file56},
    {"Console/Templates/in-app-frame.mustache", file57, sizeof file57},
    {"Console/Templates/in-app-list.mustache", file58, sizeof file58},
    {"Console/Templates/in-app-review.mustache", file59, sizeof file59},
    {"Console/Templates/in-app-trigger.mustache", file60, sizeof file60},
    {"Console/Templates/in-app-users.mustache", file61, sizeof file61},
    {"Console/Templates/in-app.mustache", file62, sizeof file62},
    {"Console/Templates/insert.mustache", file63, sizeof file63},
    {"Console/Templates/interval.mustache", file64, sizeof file64},
    {"Console/Templates/languages.mustache", file65, sizeof file65},
    {"Console/Templates/layout.mustache", file66, sizeof file66},
    {"Console/Templates/line-chart.mustache", file67, sizeof file67},
    {"Console/Templates/list-toolbar.mustache", file68, sizeof file68},
    {"Console/Templates/lists.mustache", file69, sizeof file69},
    {"Console/Templates/login.mustache", file70, sizeof file70},
    {"Console/Templates/mark.mustache", file71, sizeof file71},
    {"Console/Templates/news-item.mustache", file72, sizeof file72},
    {"Console/Templates/news.mustache", file73, sizeof file73},
    {"Console/Templates/no-enter.mustache", file74, sizeof file74},
    {"Console/Templates/outlook-warnings.mustache", file75, sizeof file75},
    {"Console/Templates/overview.mustache", file76, sizeof file76},
    {"Console/Templates/pager.mustache", file77, sizeof file77},
    {"Console/Templates/pairs.mustache", file78, sizeof file78},
    {"Console/Templates/password-link.mustache", file79, sizeof file79},
    {"Console/Templates/problem.mustache", file80, sizeof file80},
    {"Console/Templates/push-composer.mustache", file81, sizeof file81},
    {"Console/Templates/push-detail.mustache", file82, sizeof file82},
    {"Console/Templates/push-history.mustache", file83, sizeof file83},
    {"Console/Templates/push-item.mustache", file84, sizeof file84},
    {"Console/Templates/push-recipients.mustache", file85, sizeof file85},
    {"Console/Templates/push-review.mustache", file86, sizeof file86},
    {"Console/Templates/push-state.mustache", file87, sizeof file87},
    {"Console/Templates/report-funnel.mustache", file88, sizeof file88},
    {"Console/Templates/report-retention.mustache", file89, sizeof file89},
    {"Console/Templates/report-scope.mustache", file90, sizeof file90},
    {"Console/Templates/report-series.mustache", file91, sizeof file91},
    {"Console/Templates/report-tabs.mustache", file92, sizeof file92},
    {"Console/Templates/segment-rows.mustache", file93, sizeof file93},
    {"Console/Templates/segment.mustache", file94, sizeof file94},
    {"Console/Templates/segments.mustache", file95, sizeof file95},
    {"Console/Templates/settings-apps.mustache", file96, sizeof file96},
    {"Console/Templates/settings-audit.mustache", file97, sizeof file97},
    {"Console/Templates/settings-keys.mustache", file98, sizeof file98},
    {"Console/Templates/settings-languages.mustache", file99, sizeof file99},
    {"Console/Templates/settings-limits.mustache", file100, sizeof file100},
    {"Console/Templates/settings-system.mustache", file101, sizeof file101},
    {"Console/Templates/settings-tabs.mustache", file102, sizeof file102},
    {"Console/Templates/settings-team.mustache", file103, sizeof file103},
    {"Console/Templates/settings-workspace.mustache", file104, sizeof file104},
    {"Console/Templates/user-timeline.mustache", file105, sizeof file105},
    {"Console/Templates/user.mustache", file106, sizeof file106},
    {"Console/Templates/users.mustache", file107, sizeof file107},
    {"Console/Templates/uses.mustache", file108, sizeof file108},
    {"Console/Templates/who.mustache", file109, sizeof file109},
    {"Console/Templates/why.mustache", file110, sizeof file110},
    {"Console/Words/campaigns.json", file111, sizeof file111},
    {"Console/Words/content.json", file112, sizeof file112},
    {"Console/Words/events.json", file113, sizeof file113},
    {"Console/Words/experiments.json", file114, sizeof file114},
    {"Console/Words/in-app.json", file115, sizeof file115},
    {"Console/Words/news.json", file116, sizeof file116},
    {"Console/Words/people.json", file117, sizeof file117},
    {"Console/Words/push.json", file118, sizeof file118},
    {"Console/Words/reasons-content.json", file119, sizeof file119},
    {"Console/Words/reasons-credentials.json", file120, sizeof file120},
    {"Console/Words/reasons-segments.json", file121, sizeof file121},
    {"Console/Words/reasons-templates.json", file122, sizeof file122},
    {"Console/Words/reasons.json", file123, sizeof file123},
    {"Console/Words/reports.json", file124, sizeof file124},
    {"Console/Words/settings.json", file125, sizeof file125},
    {"Console/Words/site.json", file126, sizeof file126},
    {"Console/Words/why.json", file127, sizeof file127},
    {"Phones/Assets/device.css", file128, sizeof file128},
    {"Phones/Assets/device.js", file129, sizeof file129},
    {"Phones/Assets/dom.js", file130, sizeof file130},
    {"Phones/Assets/expanded.js", file131, sizeof file131},
    {"Phones/Assets/log.js", file132, sizeof file132},
    {"Phones/Assets/notifications.css", file133, sizeof file133},
    {"Phones/Assets/notifications.js", file134, sizeof file134},
    {"Phones/Assets/page.css", file135, sizeof file135},
    {"Phones/Assets/phone-icons.svg", file136, sizeof file136},
    {"Phones/Assets/phone.js", file137, sizeof file137},
    {"Phones/Assets/shop.js", file138, sizeof file138},
    {"Phones/Assets/story.js", file139, sizeof file139},
    {"Phones/Templates/phone.mustache", file140, sizeof file140},
    {"Phones/Words/phone.json", file141, sizeof file141},
    {"WebSDK/bridge.js", file142, sizeof file142},
    {"WebSDK/in-app.js", file143, sizeof file143},
    {"WebSDK/messages.js", file144, sizeof file144},
    {"WebSDK/noroshi.js", file145, sizeof file145},
    {"WebSDK/outbox.js", file146, sizeof file146},
    {"WebSDK/worker.js", file147, sizeof file147},
};

size_t web_file_count(void) { return sizeof files / sizeof *files; }
struct web_file web_file_at(size_t index) { return files[index]; }
