// Written by Scripts/embed-web-files; do not edit.
#include "CWebFiles.h"

// #embed is C23; the toolchains we build with know it in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char API_Assets_reference_css[] = {
#embed "../API/Assets/reference.css"
};
static const unsigned char API_Templates_api_reference_mustache[] = {
#embed "../API/Templates/api-reference.mustache"
};
static const unsigned char Console_Assets_base_css[] = {
#embed "../Console/Assets/base.css"
};
static const unsigned char Console_Assets_calendar_js[] = {
#embed "../Console/Assets/calendar.js"
};
static const unsigned char Console_Assets_campaign_js[] = {
#embed "../Console/Assets/campaign.js"
};
static const unsigned char Console_Assets_composer_js[] = {
#embed "../Console/Assets/composer.js"
};
static const unsigned char Console_Assets_conditions_js[] = {
#embed "../Console/Assets/conditions.js"
};
static const unsigned char Console_Assets_console_css[] = {
#embed "../Console/Assets/console.css"
};
static const unsigned char Console_Assets_console_js[] = {
#embed "../Console/Assets/console.js"
};
static const unsigned char Console_Assets_draft_js[] = {
#embed "../Console/Assets/draft.js"
};
static const unsigned char Console_Assets_expanded_css[] = {
#embed "../Console/Assets/expanded.css"
};
static const unsigned char Console_Assets_expanded_js[] = {
#embed "../Console/Assets/expanded.js"
};
static const unsigned char Console_Assets_favicon_svg[] = {
#embed "../Console/Assets/favicon.svg"
};
static const unsigned char Console_Assets_forms_css[] = {
#embed "../Console/Assets/forms.css"
};
static const unsigned char Console_Assets_icons_svg[] = {
#embed "../Console/Assets/icons.svg"
};
static const unsigned char Console_Assets_in_app_css[] = {
#embed "../Console/Assets/in-app.css"
};
static const unsigned char Console_Assets_in_app_js[] = {
#embed "../Console/Assets/in-app.js"
};
static const unsigned char Console_Assets_inter_400_woff2[] = {
#embed "../Console/Assets/inter-400.woff2"
};
static const unsigned char Console_Assets_inter_600_woff2[] = {
#embed "../Console/Assets/inter-600.woff2"
};
static const unsigned char Console_Assets_inter_txt[] = {
#embed "../Console/Assets/inter.txt"
};
static const unsigned char Console_Assets_journeys_css[] = {
#embed "../Console/Assets/journeys.css"
};
static const unsigned char Console_Assets_keys_js[] = {
#embed "../Console/Assets/keys.js"
};
static const unsigned char Console_Assets_live_js[] = {
#embed "../Console/Assets/live.js"
};
static const unsigned char Console_Assets_login_css[] = {
#embed "../Console/Assets/login.css"
};
static const unsigned char Console_Assets_overview_css[] = {
#embed "../Console/Assets/overview.css"
};
static const unsigned char Console_Assets_pages_css[] = {
#embed "../Console/Assets/pages.css"
};
static const unsigned char Console_Assets_palette_js[] = {
#embed "../Console/Assets/palette.js"
};
static const unsigned char Console_Assets_passkeys_js[] = {
#embed "../Console/Assets/passkeys.js"
};
static const unsigned char Console_Assets_print_css[] = {
#embed "../Console/Assets/print.css"
};
static const unsigned char Console_Assets_push_css[] = {
#embed "../Console/Assets/push.css"
};
static const unsigned char Console_Assets_question_js[] = {
#embed "../Console/Assets/question.js"
};
static const unsigned char Console_Assets_segment_js[] = {
#embed "../Console/Assets/segment.js"
};
static const unsigned char Console_Assets_session_js[] = {
#embed "../Console/Assets/session.js"
};
static const unsigned char Console_Assets_shell_css[] = {
#embed "../Console/Assets/shell.css"
};
static const unsigned char Console_Assets_suggest_js[] = {
#embed "../Console/Assets/suggest.js"
};
static const unsigned char Console_Assets_tables_css[] = {
#embed "../Console/Assets/tables.css"
};
static const unsigned char Console_Assets_tokens_css[] = {
#embed "../Console/Assets/tokens.css"
};
static const unsigned char Console_Assets_tokens_js[] = {
#embed "../Console/Assets/tokens.js"
};
static const unsigned char Console_Assets_try_js[] = {
#embed "../Console/Assets/try.js"
};
static const unsigned char Console_Assets_validity_js[] = {
#embed "../Console/Assets/validity.js"
};
static const unsigned char Console_Assets_values_js[] = {
#embed "../Console/Assets/values.js"
};
static const unsigned char Console_Templates_account_mustache[] = {
#embed "../Console/Templates/account.mustache"
};
static const unsigned char Console_Templates_app_proof_mustache[] = {
#embed "../Console/Templates/app-proof.mustache"
};
static const unsigned char Console_Templates_attribute_mustache[] = {
#embed "../Console/Templates/attribute.mustache"
};
static const unsigned char Console_Templates_attributes_mustache[] = {
#embed "../Console/Templates/attributes.mustache"
};
static const unsigned char Console_Templates_banner_mustache[] = {
#embed "../Console/Templates/banner.mustache"
};
static const unsigned char Console_Templates_block_mustache[] = {
#embed "../Console/Templates/block.mustache"
};
static const unsigned char Console_Templates_blocks_mustache[] = {
#embed "../Console/Templates/blocks.mustache"
};
static const unsigned char Console_Templates_calendar_mustache[] = {
#embed "../Console/Templates/calendar.mustache"
};
static const unsigned char Console_Templates_campaign_conversion_mustache[] = {
#embed "../Console/Templates/campaign-conversion.mustache"
};
static const unsigned char Console_Templates_campaign_detail_mustache[] = {
#embed "../Console/Templates/campaign-detail.mustache"
};
static const unsigned char Console_Templates_campaign_every_variant_mustache[] = {
#embed "../Console/Templates/campaign-every-variant.mustache"
};
static const unsigned char Console_Templates_campaign_review_mustache[] = {
#embed "../Console/Templates/campaign-review.mustache"
};
static const unsigned char Console_Templates_campaign_text_mustache[] = {
#embed "../Console/Templates/campaign-text.mustache"
};
static const unsigned char Console_Templates_campaign_variants_mustache[] = {
#embed "../Console/Templates/campaign-variants.mustache"
};
static const unsigned char Console_Templates_campaign_mustache[] = {
#embed "../Console/Templates/campaign.mustache"
};
static const unsigned char Console_Templates_campaigns_mustache[] = {
#embed "../Console/Templates/campaigns.mustache"
};
static const unsigned char Console_Templates_catalog_mustache[] = {
#embed "../Console/Templates/catalog.mustache"
};
static const unsigned char Console_Templates_catalogs_mustache[] = {
#embed "../Console/Templates/catalogs.mustache"
};
static const unsigned char Console_Templates_compose_audience_mustache[] = {
#embed "../Console/Templates/compose-audience.mustache"
};
static const unsigned char Console_Templates_compose_every_mustache[] = {
#embed "../Console/Templates/compose-every.mustache"
};
static const unsigned char Console_Templates_compose_options_mustache[] = {
#embed "../Console/Templates/compose-options.mustache"
};
static const unsigned char Console_Templates_compose_pairs_mustache[] = {
#embed "../Console/Templates/compose-pairs.mustache"
};
static const unsigned char Console_Templates_compose_preview_mustache[] = {
#embed "../Console/Templates/compose-preview.mustache"
};
static const unsigned char Console_Templates_compose_story_mustache[] = {
#embed "../Console/Templates/compose-story.mustache"
};
static const unsigned char Console_Templates_condition_attributes_mustache[] = {
#embed "../Console/Templates/condition-attributes.mustache"
};
static const unsigned char Console_Templates_condition_events_mustache[] = {
#embed "../Console/Templates/condition-events.mustache"
};
static const unsigned char Console_Templates_condition_group_mustache[] = {
#embed "../Console/Templates/condition-group.mustache"
};
static const unsigned char Console_Templates_condition_value_mustache[] = {
#embed "../Console/Templates/condition-value.mustache"
};
static const unsigned char Console_Templates_condition_written_mustache[] = {
#embed "../Console/Templates/condition-written.mustache"
};
static const unsigned char Console_Templates_draft_fields_mustache[] = {
#embed "../Console/Templates/draft-fields.mustache"
};
static const unsigned char Console_Templates_draft_notes_mustache[] = {
#embed "../Console/Templates/draft-notes.mustache"
};
static const unsigned char Console_Templates_drafts_mustache[] = {
#embed "../Console/Templates/drafts.mustache"
};
static const unsigned char Console_Templates_event_mustache[] = {
#embed "../Console/Templates/event.mustache"
};
static const unsigned char Console_Templates_events_mustache[] = {
#embed "../Console/Templates/events.mustache"
};
static const unsigned char Console_Templates_experiment_answer_mustache[] = {
#embed "../Console/Templates/experiment-answer.mustache"
};
static const unsigned char Console_Templates_experiment_measure_mustache[] = {
#embed "../Console/Templates/experiment-measure.mustache"
};
static const unsigned char Console_Templates_file_patch_mustache[] = {
#embed "../Console/Templates/file-patch.mustache"
};
static const unsigned char Console_Templates_files_mustache[] = {
#embed "../Console/Templates/files.mustache"
};
static const unsigned char Console_Templates_goal_conditions_mustache[] = {
#embed "../Console/Templates/goal-conditions.mustache"
};
static const unsigned char Console_Templates_head_mustache[] = {
#embed "../Console/Templates/head.mustache"
};
static const unsigned char Console_Templates_hill_mustache[] = {
#embed "../Console/Templates/hill.mustache"
};
static const unsigned char Console_Templates_in_app_click_mustache[] = {
#embed "../Console/Templates/in-app-click.mustache"
};
static const unsigned char Console_Templates_in_app_colors_mustache[] = {
#embed "../Console/Templates/in-app-colors.mustache"
};
static const unsigned char Console_Templates_in_app_contact_mustache[] = {
#embed "../Console/Templates/in-app-contact.mustache"
};
static const unsigned char Console_Templates_in_app_content_mustache[] = {
#embed "../Console/Templates/in-app-content.mustache"
};
static const unsigned char Console_Templates_in_app_detail_mustache[] = {
#embed "../Console/Templates/in-app-detail.mustache"
};
static const unsigned char Console_Templates_in_app_frame_mustache[] = {
#embed "../Console/Templates/in-app-frame.mustache"
};
static const unsigned char Console_Templates_in_app_languages_mustache[] = {
#embed "../Console/Templates/in-app-languages.mustache"
};
static const unsigned char Console_Templates_in_app_list_mustache[] = {
#embed "../Console/Templates/in-app-list.mustache"
};
static const unsigned char Console_Templates_in_app_review_mustache[] = {
#embed "../Console/Templates/in-app-review.mustache"
};
static const unsigned char Console_Templates_in_app_trigger_mustache[] = {
#embed "../Console/Templates/in-app-trigger.mustache"
};
static const unsigned char Console_Templates_in_app_users_mustache[] = {
#embed "../Console/Templates/in-app-users.mustache"
};
static const unsigned char Console_Templates_in_app_mustache[] = {
#embed "../Console/Templates/in-app.mustache"
};
static const unsigned char Console_Templates_insert_mustache[] = {
#embed "../Console/Templates/insert.mustache"
};
static const unsigned char Console_Templates_interval_mustache[] = {
#embed "../Console/Templates/interval.mustache"
};
static const unsigned char Console_Templates_journey_add_mustache[] = {
#embed "../Console/Templates/journey-add.mustache"
};
static const unsigned char Console_Templates_journey_condition_mustache[] = {
#embed "../Console/Templates/journey-condition.mustache"
};
static const unsigned char Console_Templates_journey_detail_mustache[] = {
#embed "../Console/Templates/journey-detail.mustache"
};
static const unsigned char Console_Templates_journey_editor_mustache[] = {
#embed "../Console/Templates/journey-editor.mustache"
};
static const unsigned char Console_Templates_journey_entry_mustache[] = {
#embed "../Console/Templates/journey-entry.mustache"
};
static const unsigned char Console_Templates_journey_event_mustache[] = {
#embed "../Console/Templates/journey-event.mustache"
};
static const unsigned char Console_Templates_journey_flow_mustache[] = {
#embed "../Console/Templates/journey-flow.mustache"
};
static const unsigned char Console_Templates_journey_new_mustache[] = {
#embed "../Console/Templates/journey-new.mustache"
};
static const unsigned char Console_Templates_journey_people_mustache[] = {
#embed "../Console/Templates/journey-people.mustache"
};
static const unsigned char Console_Templates_journey_person_mustache[] = {
#embed "../Console/Templates/journey-person.mustache"
};
static const unsigned char Console_Templates_journey_properties_mustache[] = {
#embed "../Console/Templates/journey-properties.mustache"
};
static const unsigned char Console_Templates_journey_review_mustache[] = {
#embed "../Console/Templates/journey-review.mustache"
};
static const unsigned char Console_Templates_journey_rules_mustache[] = {
#embed "../Console/Templates/journey-rules.mustache"
};
static const unsigned char Console_Templates_journey_span_mustache[] = {
#embed "../Console/Templates/journey-span.mustache"
};
static const unsigned char Console_Templates_journey_step_mustache[] = {
#embed "../Console/Templates/journey-step.mustache"
};
static const unsigned char Console_Templates_journey_templates_mustache[] = {
#embed "../Console/Templates/journey-templates.mustache"
};
static const unsigned char Console_Templates_journey_trial_mustache[] = {
#embed "../Console/Templates/journey-trial.mustache"
};
static const unsigned char Console_Templates_journeys_mustache[] = {
#embed "../Console/Templates/journeys.mustache"
};
static const unsigned char Console_Templates_language_panels_mustache[] = {
#embed "../Console/Templates/language-panels.mustache"
};
static const unsigned char Console_Templates_language_tabs_mustache[] = {
#embed "../Console/Templates/language-tabs.mustache"
};
static const unsigned char Console_Templates_languages_mustache[] = {
#embed "../Console/Templates/languages.mustache"
};
static const unsigned char Console_Templates_layout_mustache[] = {
#embed "../Console/Templates/layout.mustache"
};
static const unsigned char Console_Templates_line_chart_mustache[] = {
#embed "../Console/Templates/line-chart.mustache"
};
static const unsigned char Console_Templates_list_toolbar_mustache[] = {
#embed "../Console/Templates/list-toolbar.mustache"
};
static const unsigned char Console_Templates_lists_mustache[] = {
#embed "../Console/Templates/lists.mustache"
};
static const unsigned char Console_Templates_login_code_mustache[] = {
#embed "../Console/Templates/login-code.mustache"
};
static const unsigned char Console_Templates_login_mustache[] = {
#embed "../Console/Templates/login.mustache"
};
static const unsigned char Console_Templates_mark_mustache[] = {
#embed "../Console/Templates/mark.mustache"
};
static const unsigned char Console_Templates_message_funnel_mustache[] = {
#embed "../Console/Templates/message-funnel.mustache"
};
static const unsigned char Console_Templates_news_item_mustache[] = {
#embed "../Console/Templates/news-item.mustache"
};
static const unsigned char Console_Templates_news_mustache[] = {
#embed "../Console/Templates/news.mustache"
};
static const unsigned char Console_Templates_no_enter_mustache[] = {
#embed "../Console/Templates/no-enter.mustache"
};
static const unsigned char Console_Templates_open_curve_mustache[] = {
#embed "../Console/Templates/open-curve.mustache"
};
static const unsigned char Console_Templates_outlook_warnings_mustache[] = {
#embed "../Console/Templates/outlook-warnings.mustache"
};
static const unsigned char Console_Templates_overview_mustache[] = {
#embed "../Console/Templates/overview.mustache"
};
static const unsigned char Console_Templates_pager_mustache[] = {
#embed "../Console/Templates/pager.mustache"
};
static const unsigned char Console_Templates_pairs_mustache[] = {
#embed "../Console/Templates/pairs.mustache"
};
static const unsigned char Console_Templates_passkeys_mustache[] = {
#embed "../Console/Templates/passkeys.mustache"
};
static const unsigned char Console_Templates_password_link_mustache[] = {
#embed "../Console/Templates/password-link.mustache"
};
static const unsigned char Console_Templates_problem_mustache[] = {
#embed "../Console/Templates/problem.mustache"
};
static const unsigned char Console_Templates_push_composer_mustache[] = {
#embed "../Console/Templates/push-composer.mustache"
};
static const unsigned char Console_Templates_push_detail_mustache[] = {
#embed "../Console/Templates/push-detail.mustache"
};
static const unsigned char Console_Templates_push_history_mustache[] = {
#embed "../Console/Templates/push-history.mustache"
};
static const unsigned char Console_Templates_push_item_mustache[] = {
#embed "../Console/Templates/push-item.mustache"
};
static const unsigned char Console_Templates_push_recipients_mustache[] = {
#embed "../Console/Templates/push-recipients.mustache"
};
static const unsigned char Console_Templates_push_review_mustache[] = {
#embed "../Console/Templates/push-review.mustache"
};
static const unsigned char Console_Templates_push_state_mustache[] = {
#embed "../Console/Templates/push-state.mustache"
};
static const unsigned char Console_Templates_rehearsal_mustache[] = {
#embed "../Console/Templates/rehearsal.mustache"
};
static const unsigned char Console_Templates_report_activity_mustache[] = {
#embed "../Console/Templates/report-activity.mustache"
};
static const unsigned char Console_Templates_report_control_group_mustache[] = {
#embed "../Console/Templates/report-control-group.mustache"
};
static const unsigned char Console_Templates_report_funnel_mustache[] = {
#embed "../Console/Templates/report-funnel.mustache"
};
static const unsigned char Console_Templates_report_paths_mustache[] = {
#embed "../Console/Templates/report-paths.mustache"
};
static const unsigned char Console_Templates_report_retention_mustache[] = {
#embed "../Console/Templates/report-retention.mustache"
};
static const unsigned char Console_Templates_report_save_mustache[] = {
#embed "../Console/Templates/report-save.mustache"
};
static const unsigned char Console_Templates_report_saved_mustache[] = {
#embed "../Console/Templates/report-saved.mustache"
};
static const unsigned char Console_Templates_report_scope_mustache[] = {
#embed "../Console/Templates/report-scope.mustache"
};
static const unsigned char Console_Templates_report_series_mustache[] = {
#embed "../Console/Templates/report-series.mustache"
};
static const unsigned char Console_Templates_report_tabs_mustache[] = {
#embed "../Console/Templates/report-tabs.mustache"
};
static const unsigned char Console_Templates_reports_saved_mustache[] = {
#embed "../Console/Templates/reports-saved.mustache"
};
static const unsigned char Console_Templates_sdk_authentication_mode_mustache[] = {
#embed "../Console/Templates/sdk-authentication-mode.mustache"
};
static const unsigned char Console_Templates_second_factor_mustache[] = {
#embed "../Console/Templates/second-factor.mustache"
};
static const unsigned char Console_Templates_segment_overlap_mustache[] = {
#embed "../Console/Templates/segment-overlap.mustache"
};
static const unsigned char Console_Templates_segment_rows_mustache[] = {
#embed "../Console/Templates/segment-rows.mustache"
};
static const unsigned char Console_Templates_segment_users_mustache[] = {
#embed "../Console/Templates/segment-users.mustache"
};
static const unsigned char Console_Templates_segment_mustache[] = {
#embed "../Console/Templates/segment.mustache"
};
static const unsigned char Console_Templates_segments_mustache[] = {
#embed "../Console/Templates/segments.mustache"
};
static const unsigned char Console_Templates_sessions_mustache[] = {
#embed "../Console/Templates/sessions.mustache"
};
static const unsigned char Console_Templates_settings_apps_mustache[] = {
#embed "../Console/Templates/settings-apps.mustache"
};
static const unsigned char Console_Templates_settings_audit_mustache[] = {
#embed "../Console/Templates/settings-audit.mustache"
};
static const unsigned char Console_Templates_settings_facts_mustache[] = {
#embed "../Console/Templates/settings-facts.mustache"
};
static const unsigned char Console_Templates_settings_keys_mustache[] = {
#embed "../Console/Templates/settings-keys.mustache"
};
static const unsigned char Console_Templates_settings_languages_mustache[] = {
#embed "../Console/Templates/settings-languages.mustache"
};
static const unsigned char Console_Templates_settings_limits_mustache[] = {
#embed "../Console/Templates/settings-limits.mustache"
};
static const unsigned char Console_Templates_settings_member_mustache[] = {
#embed "../Console/Templates/settings-member.mustache"
};
static const unsigned char Console_Templates_settings_sdk_authentication_mustache[] = {
#embed "../Console/Templates/settings-sdk-authentication.mustache"
};
static const unsigned char Console_Templates_settings_single_sign_on_mustache[] = {
#embed "../Console/Templates/settings-single-sign-on.mustache"
};
static const unsigned char Console_Templates_settings_system_mustache[] = {
#embed "../Console/Templates/settings-system.mustache"
};
static const unsigned char Console_Templates_settings_tabs_mustache[] = {
#embed "../Console/Templates/settings-tabs.mustache"
};
static const unsigned char Console_Templates_settings_team_mustache[] = {
#embed "../Console/Templates/settings-team.mustache"
};
static const unsigned char Console_Templates_settings_workspace_mustache[] = {
#embed "../Console/Templates/settings-workspace.mustache"
};
static const unsigned char Console_Templates_settings_workspaces_mustache[] = {
#embed "../Console/Templates/settings-workspaces.mustache"
};
static const unsigned char Console_Templates_sort_head_mustache[] = {
#embed "../Console/Templates/sort-head.mustache"
};
static const unsigned char Console_Templates_story_rows_mustache[] = {
#embed "../Console/Templates/story-rows.mustache"
};
static const unsigned char Console_Templates_user_edit_mustache[] = {
#embed "../Console/Templates/user-edit.mustache"
};
static const unsigned char Console_Templates_user_figures_mustache[] = {
#embed "../Console/Templates/user-figures.mustache"
};
static const unsigned char Console_Templates_user_segments_mustache[] = {
#embed "../Console/Templates/user-segments.mustache"
};
static const unsigned char Console_Templates_user_timeline_mustache[] = {
#embed "../Console/Templates/user-timeline.mustache"
};
static const unsigned char Console_Templates_user_mustache[] = {
#embed "../Console/Templates/user.mustache"
};
static const unsigned char Console_Templates_users_mustache[] = {
#embed "../Console/Templates/users.mustache"
};
static const unsigned char Console_Templates_uses_mustache[] = {
#embed "../Console/Templates/uses.mustache"
};
static const unsigned char Console_Templates_who_mustache[] = {
#embed "../Console/Templates/who.mustache"
};
static const unsigned char Console_Templates_why_mustache[] = {
#embed "../Console/Templates/why.mustache"
};
static const unsigned char Console_Templates_workspaces_mustache[] = {
#embed "../Console/Templates/workspaces.mustache"
};
static const unsigned char Console_Words_accounts_json[] = {
#embed "../Console/Words/accounts.json"
};
static const unsigned char Console_Words_campaigns_json[] = {
#embed "../Console/Words/campaigns.json"
};
static const unsigned char Console_Words_content_json[] = {
#embed "../Console/Words/content.json"
};
static const unsigned char Console_Words_events_json[] = {
#embed "../Console/Words/events.json"
};
static const unsigned char Console_Words_experiments_json[] = {
#embed "../Console/Words/experiments.json"
};
static const unsigned char Console_Words_facts_json[] = {
#embed "../Console/Words/facts.json"
};
static const unsigned char Console_Words_files_json[] = {
#embed "../Console/Words/files.json"
};
static const unsigned char Console_Words_in_app_json[] = {
#embed "../Console/Words/in-app.json"
};
static const unsigned char Console_Words_journeys_json[] = {
#embed "../Console/Words/journeys.json"
};
static const unsigned char Console_Words_news_json[] = {
#embed "../Console/Words/news.json"
};
static const unsigned char Console_Words_people_json[] = {
#embed "../Console/Words/people.json"
};
static const unsigned char Console_Words_push_json[] = {
#embed "../Console/Words/push.json"
};
static const unsigned char Console_Words_reasons_content_json[] = {
#embed "../Console/Words/reasons-content.json"
};
static const unsigned char Console_Words_reasons_credentials_json[] = {
#embed "../Console/Words/reasons-credentials.json"
};
static const unsigned char Console_Words_reasons_openid_json[] = {
#embed "../Console/Words/reasons-openid.json"
};
static const unsigned char Console_Words_reasons_segments_json[] = {
#embed "../Console/Words/reasons-segments.json"
};
static const unsigned char Console_Words_reasons_templates_json[] = {
#embed "../Console/Words/reasons-templates.json"
};
static const unsigned char Console_Words_reasons_json[] = {
#embed "../Console/Words/reasons.json"
};
static const unsigned char Console_Words_rehearsals_json[] = {
#embed "../Console/Words/rehearsals.json"
};
static const unsigned char Console_Words_reports_json[] = {
#embed "../Console/Words/reports.json"
};
static const unsigned char Console_Words_settings_json[] = {
#embed "../Console/Words/settings.json"
};
static const unsigned char Console_Words_single_sign_on_json[] = {
#embed "../Console/Words/single-sign-on.json"
};
static const unsigned char Console_Words_site_json[] = {
#embed "../Console/Words/site.json"
};
static const unsigned char Console_Words_why_json[] = {
#embed "../Console/Words/why.json"
};
static const unsigned char Phones_Assets_content_js[] = {
#embed "../Phones/Assets/content.js"
};
static const unsigned char Phones_Assets_device_css[] = {
#embed "../Phones/Assets/device.css"
};
static const unsigned char Phones_Assets_device_js[] = {
#embed "../Phones/Assets/device.js"
};
static const unsigned char Phones_Assets_dom_js[] = {
#embed "../Phones/Assets/dom.js"
};
static const unsigned char Phones_Assets_expanded_js[] = {
#embed "../Phones/Assets/expanded.js"
};
static const unsigned char Phones_Assets_log_js[] = {
#embed "../Phones/Assets/log.js"
};
static const unsigned char Phones_Assets_notifications_css[] = {
#embed "../Phones/Assets/notifications.css"
};
static const unsigned char Phones_Assets_notifications_js[] = {
#embed "../Phones/Assets/notifications.js"
};
static const unsigned char Phones_Assets_page_css[] = {
#embed "../Phones/Assets/page.css"
};
static const unsigned char Phones_Assets_phone_icons_svg[] = {
#embed "../Phones/Assets/phone-icons.svg"
};
static const unsigned char Phones_Assets_phone_js[] = {
#embed "../Phones/Assets/phone.js"
};
static const unsigned char Phones_Assets_shop_js[] = {
#embed "../Phones/Assets/shop.js"
};
static const unsigned char Phones_Assets_story_js[] = {
#embed "../Phones/Assets/story.js"
};
static const unsigned char Phones_Assets_week_js[] = {
#embed "../Phones/Assets/week.js"
};
static const unsigned char Phones_Templates_phone_mustache[] = {
#embed "../Phones/Templates/phone.mustache"
};
static const unsigned char Phones_Templates_week_mustache[] = {
#embed "../Phones/Templates/week.mustache"
};
static const unsigned char Phones_Words_phone_json[] = {
#embed "../Phones/Words/phone.json"
};
static const unsigned char WebSDK_bridge_js[] = {
#embed "../../../Clients/web/bridge.js"
};
static const unsigned char WebSDK_in_app_js[] = {
#embed "../../../Clients/web/in-app.js"
};
static const unsigned char WebSDK_messages_js[] = {
#embed "../../../Clients/web/messages.js"
};
static const unsigned char WebSDK_noroshi_js[] = {
#embed "../../../Clients/web/noroshi.js"
};
static const unsigned char WebSDK_outbox_js[] = {
#embed "../../../Clients/web/outbox.js"
};
static const unsigned char WebSDK_worker_js[] = {
#embed "../../../Clients/web/worker.js"
};

static const struct web_file files[] = {
    {"API/Assets/reference.css", API_Assets_reference_css, sizeof API_Assets_reference_css},
    {"API/Templates/api-reference.mustache", API_Templates_api_reference_mustache, sizeof API_Templates_api_reference_mustache},
    {"Console/Assets/base.css", Console_Assets_base_css, sizeof Console_Assets_base_css},
    {"Console/Assets/calendar.js", Console_Assets_calendar_js, sizeof Console_Assets_calendar_js},
    {"Console/Assets/campaign.js", Console_Assets_campaign_js, sizeof Console_Assets_campaign_js},
    {"Console/Assets/composer.js", Console_Assets_composer_js, sizeof Console_Assets_composer_js},
    {"Console/Assets/conditions.js", Console_Assets_conditions_js, sizeof Console_Assets_conditions_js},
    {"Console/Assets/console.css", Console_Assets_console_css, sizeof Console_Assets_console_css},
    {"Console/Assets/console.js", Console_Assets_console_js, sizeof Console_Assets_console_js},
    {"Console/Assets/draft.js", Console_Assets_draft_js, sizeof Console_Assets_draft_js},
    {"Console/Assets/expanded.css", Console_Assets_expanded_css, sizeof Console_Assets_expanded_css},
    {"Console/Assets/expanded.js", Console_Assets_expanded_js, sizeof Console_Assets_expanded_js},
    {"Console/Assets/favicon.svg", Console_Assets_favicon_svg, sizeof Console_Assets_favicon_svg},
    {"Console/Assets/forms.css", Console_Assets_forms_css, sizeof Console_Assets_forms_css},
    {"Console/Assets/icons.svg", Console_Assets_icons_svg, sizeof Console_Assets_icons_svg},
    {"Console/Assets/in-app.css", Console_Assets_in_app_css, sizeof Console_Assets_in_app_css},
    {"Console/Assets/in-app.js", Console_Assets_in_app_js, sizeof Console_Assets_in_app_js},
    {"Console/Assets/inter-400.woff2", Console_Assets_inter_400_woff2, sizeof Console_Assets_inter_400_woff2},
    {"Console/Assets/inter-600.woff2", Console_Assets_inter_600_woff2, sizeof Console_Assets_inter_600_woff2},
    {"Console/Assets/inter.txt", Console_Assets_inter_txt, sizeof Console_Assets_inter_txt},
    {"Console/Assets/journeys.css", Console_Assets_journeys_css, sizeof Console_Assets_journeys_css},
    {"Console/Assets/keys.js", Console_Assets_keys_js, sizeof Console_Assets_keys_js},
    {"Console/Assets/live.js", Console_Assets_live_js, sizeof Console_Assets_live_js},
    {"Console/Assets/login.css", Console_Assets_login_css, sizeof Console_Assets_login_css},
    {"Console/Assets/overview.css", Console_Assets_overview_css, sizeof Console_Assets_overview_css},
    {"Console/Assets/pages.css", Console_Assets_pages_css, sizeof Console_Assets_pages_css},
    {"Console/Assets/palette.js", Console_Assets_palette_js, sizeof Console_Assets_palette_js},
    {"Console/Assets/passkeys.js", Console_Assets_passkeys_js, sizeof Console_Assets_passkeys_js},
    {"Console/Assets/print.css", Console_Assets_print_css, sizeof Console_Assets_print_css},
    {"Console/Assets/push.css", Console_Assets_push_css, sizeof Console_Assets_push_css},
    {"Console/Assets/question.js", Console_Assets_question_js, sizeof Console_Assets_question_js},
    {"Console/Assets/segment.js", Console_Assets_segment_js, sizeof Console_Assets_segment_js},
    {"Console/Assets/session.js", Console_Assets_session_js, sizeof Console_Assets_session_js},
    {"Console/Assets/shell.css", Console_Assets_shell_css, sizeof Console_Assets_shell_css},
    {"Console/Assets/suggest.js", Console_Assets_suggest_js, sizeof Console_Assets_suggest_js},
    {"Console/Assets/tables.css", Console_Assets_tables_css, sizeof Console_Assets_tables_css},
    {"Console/Assets/tokens.css", Console_Assets_tokens_css, sizeof Console_Assets_tokens_css},
    {"Console/Assets/tokens.js", Console_Assets_tokens_js, sizeof Console_Assets_tokens_js},
    {"Console/Assets/try.js", Console_Assets_try_js, sizeof Console_Assets_try_js},
    {"Console/Assets/validity.js", Console_Assets_validity_js, sizeof Console_Assets_validity_js},
    {"Console/Assets/values.js", Console_Assets_values_js, sizeof Console_Assets_values_js},
    {"Console/Templates/account.mustache", Console_Templates_account_mustache, sizeof Console_Templates_account_mustache},
    {"Console/Templates/app-proof.mustache", Console_Templates_app_proof_mustache, sizeof Console_Templates_app_proof_mustache},
    {"Console/Templates/attribute.mustache", Console_Templates_attribute_mustache, sizeof Console_Templates_attribute_mustache},
    {"Console/Templates/attributes.mustache", Console_Templates_attributes_mustache, sizeof Console_Templates_attributes_mustache},
    {"Console/Templates/banner.mustache", Console_Templates_banner_mustache, sizeof Console_Templates_banner_mustache},
    {"Console/Templates/block.mustache", Console_Templates_block_mustache, sizeof Console_Templates_block_mustache},
    {"Console/Templates/blocks.mustache", Console_Templates_blocks_mustache, sizeof Console_Templates_blocks_mustache},
    {"Console/Templates/calendar.mustache", Console_Templates_calendar_mustache, sizeof Console_Templates_calendar_mustache},
    {"Console/Templates/campaign-conversion.mustache", Console_Templates_campaign_conversion_mustache, sizeof Console_Templates_campaign_conversion_mustache},
    {"Console/Templates/campaign-detail.mustache", Console_Templates_campaign_detail_mustache, sizeof Console_Templates_campaign_detail_mustache},
    {"Console/Templates/campaign-every-variant.mustache", Console_Templates_campaign_every_variant_mustache, sizeof Console_Templates_campaign_every_variant_mustache},
    {"Console/Templates/campaign-review.mustache", Console_Templates_campaign_review_mustache, sizeof Console_Templates_campaign_review_mustache},
    {"Console/Templates/campaign-text.mustache", Console_Templates_campaign_text_mustache, sizeof Console_Templates_campaign_text_mustache},
    {"Console/Templates/campaign-variants.mustache", Console_Templates_campaign_variants_mustache, sizeof Console_Templates_campaign_variants_mustache},
    {"Console/Templates/campaign.mustache", Console_Templates_campaign_mustache, sizeof Console_Templates_campaign_mustache},
    {"Console/Templates/campaigns.mustache", Console_Templates_campaigns_mustache, sizeof Console_Templates_campaigns_mustache},
    {"Console/Templates/catalog.mustache", Console_Templates_catalog_mustache, sizeof Console_Templates_catalog_mustache},
    {"Console/Templates/catalogs.mustache", Console_Templates_catalogs_mustache, sizeof Console_Templates_catalogs_mustache},
    {"Console/Templates/compose-audience.mustache", Console_Templates_compose_audience_mustache, sizeof Console_Templates_compose_audience_mustache},
    {"Console/Templates/compose-every.mustache", Console_Templates_compose_every_mustache, sizeof Console_Templates_compose_every_mustache},
    {"Console/Templates/compose-options.mustache", Console_Templates_compose_options_mustache, sizeof Console_Templates_compose_options_mustache},
    {"Console/Templates/compose-pairs.mustache", Console_Templates_compose_pairs_mustache, sizeof Console_Templates_compose_pairs_mustache},
    {"Console/Templates/compose-preview.mustache", Console_Templates_compose_preview_mustache, sizeof Console_Templates_compose_preview_mustache},
    {"Console/Templates/compose-story.mustache", Console_Templates_compose_story_mustache, sizeof Console_Templates_compose_story_mustache},
    {"Console/Templates/condition-attributes.mustache", Console_Templates_condition_attributes_mustache, sizeof Console_Templates_condition_attributes_mustache},
    {"Console/Templates/condition-events.mustache", Console_Templates_condition_events_mustache, sizeof Console_Templates_condition_events_mustache},
    {"Console/Templates/condition-group.mustache", Console_Templates_condition_group_mustache, sizeof Console_Templates_condition_group_mustache},
    {"Console/Templates/condition-value.mustache", Console_Templates_condition_value_mustache, sizeof Console_Templates_condition_value_mustache},
    {"Console/Templates/condition-written.mustache", Console_Templates_condition_written_mustache, sizeof Console_Templates_condition_written_mustache},
    {"Console/Templates/draft-fields.mustache", Console_Templates_draft_fields_mustache, sizeof Console_Templates_draft_fields_mustache},
    {"Console/Templates/draft-notes.mustache", Console_Templates_draft_notes_mustache, sizeof Console_Templates_draft_notes_mustache},
    {"Console/Templates/drafts.mustache", Console_Templates_drafts_mustache, sizeof Console_Templates_drafts_mustache},
    {"Console/Templates/event.mustache", Console_Templates_event_mustache, sizeof Console_Templates_event_mustache},
    {"Console/Templates/events.mustache", Console_Templates_events_mustache, sizeof Console_Templates_events_mustache},
    {"Console/Templates/experiment-answer.mustache", Console_Templates_experiment_answer_mustache, sizeof Console_Templates_experiment_answer_mustache},
    {"Console/Templates/experiment-measure.mustache", Console_Templates_experiment_measure_mustache, sizeof Console_Templates_experiment_measure_mustache},
    {"Console/Templates/file-patch.mustache", Console_Templates_file_patch_mustache, sizeof Console_Templates_file_patch_mustache},
    {"Console/Templates/files.mustache", Console_Templates_files_mustache, sizeof Console_Templates_files_mustache},
    {"Console/Templates/goal-conditions.mustache", Console_Templates_goal_conditions_mustache, sizeof Console_Templates_goal_conditions_mustache},
    {"Console/Templates/head.mustache", Console_Templates_head_mustache, sizeof Console_Templates_head_mustache},
    {"Console/Templates/hill.mustache", Console_Templates_hill_mustache, sizeof Console_Templates_hill_mustache},
    {"Console/Templates/in-app-click.mustache", Console_Templates_in_app_click_mustache, sizeof Console_Templates_in_app_click_mustache},
    {"Console/Templates/in-app-colors.mustache", Console_Templates_in_app_colors_mustache, sizeof Console_Templates_in_app_colors_mustache},
    {"Console/Templates/in-app-contact.mustache", Console_Templates_in_app_contact_mustache, sizeof Console_Templates_in_app_contact_mustache},
    {"Console/Templates/in-app-content.mustache", Console_Templates_in_app_content_mustache, sizeof Console_Templates_in_app_content_mustache},
    {"Console/Templates/in-app-detail.mustache", Console_Templates_in_app_detail_mustache, sizeof Console_Templates_in_app_detail_mustache},
    {"Console/Templates/in-app-frame.mustache", Console_Templates_in_app_frame_mustache, sizeof Console_Templates_in_app_frame_mustache},
    {"Console/Templates/in-app-languages.mustache", Console_Templates_in_app_languages_mustache, sizeof Console_Templates_in_app_languages_mustache},
    {"Console/Templates/in-app-list.mustache", Console_Templates_in_app_list_mustache, sizeof Console_Templates_in_app_list_mustache},
    {"Console/Templates/in-app-review.mustache", Console_Templates_in_app_review_mustache, sizeof Console_Templates_in_app_review_mustache},
    {"Console/Templates/in-app-trigger.mustache", Console_Templates_in_app_trigger_mustache, sizeof Console_Templates_in_app_trigger_mustache},
    {"Console/Templates/in-app-users.mustache", Console_Templates_in_app_users_mustache, sizeof Console_Templates_in_app_users_mustache},
    {"Console/Templates/in-app.mustache", Console_Templates_in_app_mustache, sizeof Console_Templates_in_app_mustache},
    {"Console/Templates/insert.mustache", Console_Templates_insert_mustache, sizeof Console_Templates_insert_mustache},
    {"Console/Templates/interval.mustache", Console_Templates_interval_mustache, sizeof Console_Templates_interval_mustache},
    {"Console/Templates/journey-add.mustache", Console_Templates_journey_add_mustache, sizeof Console_Templates_journey_add_mustache},
    {"Console/Templates/journey-condition.mustache", Console_Templates_journey_condition_mustache, sizeof Console_Templates_journey_condition_mustache},
    {"Console/Templates/journey-detail.mustache", Console_Templates_journey_detail_mustache, sizeof Console_Templates_journey_detail_mustache},
    {"Console/Templates/journey-editor.mustache", Console_Templates_journey_editor_mustache, sizeof Console_Templates_journey_editor_mustache},
    {"Console/Templates/journey-entry.mustache", Console_Templates_journey_entry_mustache, sizeof Console_Templates_journey_entry_mustache},
    {"Console/Templates/journey-event.mustache", Console_Templates_journey_event_mustache, sizeof Console_Templates_journey_event_mustache},
    {"Console/Templates/journey-flow.mustache", Console_Templates_journey_flow_mustache, sizeof Console_Templates_journey_flow_mustache},
    {"Console/Templates/journey-new.mustache", Console_Templates_journey_new_mustache, sizeof Console_Templates_journey_new_mustache},
    {"Console/Templates/journey-people.mustache", Console_Templates_journey_people_mustache, sizeof Console_Templates_journey_people_mustache},
    {"Console/Templates/journey-person.mustache", Console_Templates_journey_person_mustache, sizeof Console_Templates_journey_person_mustache},
    {"Console/Templates/journey-properties.mustache", Console_Templates_journey_properties_mustache, sizeof Console_Templates_journey_properties_mustache},
    {"Console/Templates/journey-review.mustache", Console_Templates_journey_review_mustache, sizeof Console_Templates_journey_review_mustache},
    {"Console/Templates/journey-rules.mustache", Console_Templates_journey_rules_mustache, sizeof Console_Templates_journey_rules_mustache},
    {"Console/Templates/journey-span.mustache", Console_Templates_journey_span_mustache, sizeof Console_Templates_journey_span_mustache},
    {"Console/Templates/journey-step.mustache", Console_Templates_journey_step_mustache, sizeof Console_Templates_journey_step_mustache},
    {"Console/Templates/journey-templates.mustache", Console_Templates_journey_templates_mustache, sizeof Console_Templates_journey_templates_mustache},
    {"Console/Templates/journey-trial.mustache", Console_Templates_journey_trial_mustache, sizeof Console_Templates_journey_trial_mustache},
    {"Console/Templates/journeys.mustache", Console_Templates_journeys_mustache, sizeof Console_Templates_journeys_mustache},
    {"Console/Templates/language-panels.mustache", Console_Templates_language_panels_mustache, sizeof Console_Templates_language_panels_mustache},
    {"Console/Templates/language-tabs.mustache", Console_Templates_language_tabs_mustache, sizeof Console_Templates_language_tabs_mustache},
    {"Console/Templates/languages.mustache", Console_Templates_languages_mustache, sizeof Console_Templates_languages_mustache},
    {"Console/Templates/layout.mustache", Console_Templates_layout_mustache, sizeof Console_Templates_layout_mustache},
    {"Console/Templates/line-chart.mustache", Console_Templates_line_chart_mustache, sizeof Console_Templates_line_chart_mustache},
    {"Console/Templates/list-toolbar.mustache", Console_Templates_list_toolbar_mustache, sizeof Console_Templates_list_toolbar_mustache},
    {"Console/Templates/lists.mustache", Console_Templates_lists_mustache, sizeof Console_Templates_lists_mustache},
    {"Console/Templates/login-code.mustache", Console_Templates_login_code_mustache, sizeof Console_Templates_login_code_mustache},
    {"Console/Templates/login.mustache", Console_Templates_login_mustache, sizeof Console_Templates_login_mustache},
    {"Console/Templates/mark.mustache", Console_Templates_mark_mustache, sizeof Console_Templates_mark_mustache},
    {"Console/Templates/message-funnel.mustache", Console_Templates_message_funnel_mustache, sizeof Console_Templates_message_funnel_mustache},
    {"Console/Templates/news-item.mustache", Console_Templates_news_item_mustache, sizeof Console_Templates_news_item_mustache},
    {"Console/Templates/news.mustache", Console_Templates_news_mustache, sizeof Console_Templates_news_mustache},
    {"Console/Templates/no-enter.mustache", Console_Templates_no_enter_mustache, sizeof Console_Templates_no_enter_mustache},
    {"Console/Templates/open-curve.mustache", Console_Templates_open_curve_mustache, sizeof Console_Templates_open_curve_mustache},
    {"Console/Templates/outlook-warnings.mustache", Console_Templates_outlook_warnings_mustache, sizeof Console_Templates_outlook_warnings_mustache},
    {"Console/Templates/overview.mustache", Console_Templates_overview_mustache, sizeof Console_Templates_overview_mustache},
    {"Console/Templates/pager.mustache", Console_Templates_pager_mustache, sizeof Console_Templates_pager_mustache},
    {"Console/Templates/pairs.mustache", Console_Templates_pairs_mustache, sizeof Console_Templates_pairs_mustache},
    {"Console/Templates/passkeys.mustache", Console_Templates_passkeys_mustache, sizeof Console_Templates_passkeys_mustache},
    {"Console/Templates/password-link.mustache", Console_Templates_password_link_mustache, sizeof Console_Templates_password_link_mustache},
    {"Console/Templates/problem.mustache", Console_Templates_problem_mustache, sizeof Console_Templates_problem_mustache},
    {"Console/Templates/push-composer.mustache", Console_Templates_push_composer_mustache, sizeof Console_Templates_push_composer_mustache},
    {"Console/Templates/push-detail.mustache", Console_Templates_push_detail_mustache, sizeof Console_Templates_push_detail_mustache},
    {"Console/Templates/push-history.mustache", Console_Templates_push_history_mustache, sizeof Console_Templates_push_history_mustache},
    {"Console/Templates/push-item.mustache", Console_Templates_push_item_mustache, sizeof Console_Templates_push_item_mustache},
    {"Console/Templates/push-recipients.mustache", Console_Templates_push_recipients_mustache, sizeof Console_Templates_push_recipients_mustache},
    {"Console/Templates/push-review.mustache", Console_Templates_push_review_mustache, sizeof Console_Templates_push_review_mustache},
    {"Console/Templates/push-state.mustache", Console_Templates_push_state_mustache, sizeof Console_Templates_push_state_mustache},
    {"Console/Templates/rehearsal.mustache", Console_Templates_rehearsal_mustache, sizeof Console_Templates_rehearsal_mustache},
    {"Console/Templates/report-activity.mustache", Console_Templates_report_activity_mustache, sizeof Console_Templates_report_activity_mustache},
    {"Console/Templates/report-control-group.mustache", Console_Templates_report_control_group_mustache, sizeof Console_Templates_report_control_group_mustache},
    {"Console/Templates/report-funnel.mustache", Console_Templates_report_funnel_mustache, sizeof Console_Templates_report_funnel_mustache},
    {"Console/Templates/report-paths.mustache", Console_Templates_report_paths_mustache, sizeof Console_Templates_report_paths_mustache},
    {"Console/Templates/report-retention.mustache", Console_Templates_report_retention_mustache, sizeof Console_Templates_report_retention_mustache},
    {"Console/Templates/report-save.mustache", Console_Templates_report_save_mustache, sizeof Console_Templates_report_save_mustache},
    {"Console/Templates/report-saved.mustache", Console_Templates_report_saved_mustache, sizeof Console_Templates_report_saved_mustache},
    {"Console/Templates/report-scope.mustache", Console_Templates_report_scope_mustache, sizeof Console_Templates_report_scope_mustache},
    {"Console/Templates/report-series.mustache", Console_Templates_report_series_mustache, sizeof Console_Templates_report_series_mustache},
    {"Console/Templates/report-tabs.mustache", Console_Templates_report_tabs_mustache, sizeof Console_Templates_report_tabs_mustache},
    {"Console/Templates/reports-saved.mustache", Console_Templates_reports_saved_mustache, sizeof Console_Templates_reports_saved_mustache},
    {"Console/Templates/sdk-authentication-mode.mustache", Console_Templates_sdk_authentication_mode_mustache, sizeof Console_Templates_sdk_authentication_mode_mustache},
    {"Console/Templates/second-factor.mustache", Console_Templates_second_factor_mustache, sizeof Console_Templates_second_factor_mustache},
    {"Console/Templates/segment-overlap.mustache", Console_Templates_segment_overlap_mustache, sizeof Console_Templates_segment_overlap_mustache},
    {"Console/Templates/segment-rows.mustache", Console_Templates_segment_rows_mustache, sizeof Console_Templates_segment_rows_mustache},
    {"Console/Templates/segment-users.mustache", Console_Templates_segment_users_mustache, sizeof Console_Templates_segment_users_mustache},
    {"Console/Templates/segment.mustache", Console_Templates_segment_mustache, sizeof Console_Templates_segment_mustache},
    {"Console/Templates/segments.mustache", Console_Templates_segments_mustache, sizeof Console_Templates_segments_mustache},
    {"Console/Templates/sessions.mustache", Console_Templates_sessions_mustache, sizeof Console_Templates_sessions_mustache},
    {"Console/Templates/settings-apps.mustache", Console_Templates_settings_apps_mustache, sizeof Console_Templates_settings_apps_mustache},
    {"Console/Templates/settings-audit.mustache", Console_Templates_settings_audit_mustache, sizeof Console_Templates_settings_audit_mustache},
    {"Console/Templates/settings-facts.mustache", Console_Templates_settings_facts_mustache, sizeof Console_Templates_settings_facts_mustache},
    {"Console/Templates/settings-keys.mustache", Console_Templates_settings_keys_mustache, sizeof Console_Templates_settings_keys_mustache},
    {"Console/Templates/settings-languages.mustache", Console_Templates_settings_languages_mustache, sizeof Console_Templates_settings_languages_mustache},
    {"Console/Templates/settings-limits.mustache", Console_Templates_settings_limits_mustache, sizeof Console_Templates_settings_limits_mustache},
    {"Console/Templates/settings-member.mustache", Console_Templates_settings_member_mustache, sizeof Console_Templates_settings_member_mustache},
    {"Console/Templates/settings-sdk-authentication.mustache", Console_Templates_settings_sdk_authentication_mustache, sizeof Console_Templates_settings_sdk_authentication_mustache},
    {"Console/Templates/settings-single-sign-on.mustache", Console_Templates_settings_single_sign_on_mustache, sizeof Console_Templates_settings_single_sign_on_mustache},
    {"Console/Templates/settings-system.mustache", Console_Templates_settings_system_mustache, sizeof Console_Templates_settings_system_mustache},
    {"Console/Templates/settings-tabs.mustache", Console_Templates_settings_tabs_mustache, sizeof Console_Templates_settings_tabs_mustache},
    {"Console/Templates/settings-team.mustache", Console_Templates_settings_team_mustache, sizeof Console_Templates_settings_team_mustache},
    {"Console/Templates/settings-workspace.mustache", Console_Templates_settings_workspace_mustache, sizeof Console_Templates_settings_workspace_mustache},
    {"Console/Templates/settings-workspaces.mustache", Console_Templates_settings_workspaces_mustache, sizeof Console_Templates_settings_workspaces_mustache},
    {"Console/Templates/sort-head.mustache", Console_Templates_sort_head_mustache, sizeof Console_Templates_sort_head_mustache},
    {"Console/Templates/story-rows.mustache", Console_Templates_story_rows_mustache, sizeof Console_Templates_story_rows_mustache},
    {"Console/Templates/user-edit.mustache", Console_Templates_user_edit_mustache, sizeof Console_Templates_user_edit_mustache},
    {"Console/Templates/user-figures.mustache", Console_Templates_user_figures_mustache, sizeof Console_Templates_user_figures_mustache},
    {"Console/Templates/user-segments.mustache", Console_Templates_user_segments_mustache, sizeof Console_Templates_user_segments_mustache},
    {"Console/Templates/user-timeline.mustache", Console_Templates_user_timeline_mustache, sizeof Console_Templates_user_timeline_mustache},
    {"Console/Templates/user.mustache", Console_Templates_user_mustache, sizeof Console_Templates_user_mustache},
    {"Console/Templates/users.mustache", Console_Templates_users_mustache, sizeof Console_Templates_users_mustache},
    {"Console/Templates/uses.mustache", Console_Templates_uses_mustache, sizeof Console_Templates_uses_mustache},
    {"Console/Templates/who.mustache", Console_Templates_who_mustache, sizeof Console_Templates_who_mustache},
    {"Console/Templates/why.mustache", Console_Templates_why_mustache, sizeof Console_Templates_why_mustache},
    {"Console/Templates/workspaces.mustache", Console_Templates_workspaces_mustache, sizeof Console_Templates_workspaces_mustache},
    {"Console/Words/accounts.json", Console_Words_accounts_json, sizeof Console_Words_accounts_json},
    {"Console/Words/campaigns.json", Console_Words_campaigns_json, sizeof Console_Words_campaigns_json},
    {"Console/Words/content.json", Console_Words_content_json, sizeof Console_Words_content_json},
    {"Console/Words/events.json", Console_Words_events_json, sizeof Console_Words_events_json},
    {"Console/Words/experiments.json", Console_Words_experiments_json, sizeof Console_Words_experiments_json},
    {"Console/Words/facts.json", Console_Words_facts_json, sizeof Console_Words_facts_json},
    {"Console/Words/files.json", Console_Words_files_json, sizeof Console_Words_files_json},
    {"Console/Words/in-app.json", Console_Words_in_app_json, sizeof Console_Words_in_app_json},
    {"Console/Words/journeys.json", Console_Words_journeys_json, sizeof Console_Words_journeys_json},
    {"Console/Words/news.json", Console_Words_news_json, sizeof Console_Words_news_json},
    {"Console/Words/people.json", Console_Words_people_json, sizeof Console_Words_people_json},
    {"Console/Words/push.json", Console_Words_push_json, sizeof Console_Words_push_json},
    {"Console/Words/reasons-content.json", Console_Words_reasons_content_json, sizeof Console_Words_reasons_content_json},
    {"Console/Words/reasons-credentials.json", Console_Words_reasons_credentials_json, sizeof Console_Words_reasons_credentials_json},
    {"Console/Words/reasons-openid.json", Console_Words_reasons_openid_json, sizeof Console_Words_reasons_openid_json},
    {"Console/Words/reasons-segments.json", Console_Words_reasons_segments_json, sizeof Console_Words_reasons_segments_json},
    {"Console/Words/reasons-templates.json", Console_Words_reasons_templates_json, sizeof Console_Words_reasons_templates_json},
    {"Console/Words/reasons.json", Console_Words_reasons_json, sizeof Console_Words_reasons_json},
    {"Console/Words/rehearsals.json", Console_Words_rehearsals_json, sizeof Console_Words_rehearsals_json},
    {"Console/Words/reports.json", Console_Words_reports_json, sizeof Console_Words_reports_json},
    {"Console/Words/settings.json", Console_Words_settings_json, sizeof Console_Words_settings_json},
    {"Console/Words/single-sign-on.json", Console_Words_single_sign_on_json, sizeof Console_Words_single_sign_on_json},
    {"Console/Words/site.json", Console_Words_site_json, sizeof Console_Words_site_json},
    {"Console/Words/why.json", Console_Words_why_json, sizeof Console_Words_why_json},
    {"Phones/Assets/content.js", Phones_Assets_content_js, sizeof Phones_Assets_content_js},
    {"Phones/Assets/device.css", Phones_Assets_device_css, sizeof Phones_Assets_device_css},
    {"Phones/Assets/device.js", Phones_Assets_device_js, sizeof Phones_Assets_device_js},
    {"Phones/Assets/dom.js", Phones_Assets_dom_js, sizeof Phones_Assets_dom_js},
    {"Phones/Assets/expanded.js", Phones_Assets_expanded_js, sizeof Phones_Assets_expanded_js},
    {"Phones/Assets/log.js", Phones_Assets_log_js, sizeof Phones_Assets_log_js},
    {"Phones/Assets/notifications.css", Phones_Assets_notifications_css, sizeof Phones_Assets_notifications_css},
    {"Phones/Assets/notifications.js", Phones_Assets_notifications_js, sizeof Phones_Assets_notifications_js},
    {"Phones/Assets/page.css", Phones_Assets_page_css, sizeof Phones_Assets_page_css},
    {"Phones/Assets/phone-icons.svg", Phones_Assets_phone_icons_svg, sizeof Phones_Assets_phone_icons_svg},
    {"Phones/Assets/phone.js", Phones_Assets_phone_js, sizeof Phones_Assets_phone_js},
    {"Phones/Assets/shop.js", Phones_Assets_shop_js, sizeof Phones_Assets_shop_js},
    {"Phones/Assets/story.js", Phones_Assets_story_js, sizeof Phones_Assets_story_js},
    {"Phones/Assets/week.js", Phones_Assets_week_js, sizeof Phones_Assets_week_js},
    {"Phones/Templates/phone.mustache", Phones_Templates_phone_mustache, sizeof Phones_Templates_phone_mustache},
    {"Phones/Templates/week.mustache", Phones_Templates_week_mustache, sizeof Phones_Templates_week_mustache},
    {"Phones/Words/phone.json", Phones_Words_phone_json, sizeof Phones_Words_phone_json},
    {"WebSDK/bridge.js", WebSDK_bridge_js, sizeof WebSDK_bridge_js},
    {"WebSDK/in-app.js", WebSDK_in_app_js, sizeof WebSDK_in_app_js},
    {"WebSDK/messages.js", WebSDK_messages_js, sizeof WebSDK_messages_js},
    {"WebSDK/noroshi.js", WebSDK_noroshi_js, sizeof WebSDK_noroshi_js},
    {"WebSDK/outbox.js", WebSDK_outbox_js, sizeof WebSDK_outbox_js},
    {"WebSDK/worker.js", WebSDK_worker_js, sizeof WebSDK_worker_js},
};

size_t web_file_count(void) { return sizeof files / sizeof *files; }
struct web_file web_file_at(size_t index) { return files[index]; }
