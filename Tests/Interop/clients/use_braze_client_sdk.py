"""braze-client-sdk: its calls check what they send before they send it."""

import requests
from braze import Braze
from facts import KEY, URL, done, refused, same

braze = Braze(host=URL, token=KEY)

answer = braze.users.track(content={"attributes": [{"external_id": "dan", "plan": "pro"}]})
same((answer["message"], answer["attributes_processed"]), ("success", 1), "track")
alias = {"alias_name": "D-1", "alias_label": "crm"}
answer = braze.users.alias.new(content={"user_aliases": [{"external_id": "dan", **alias}]})
same(answer["aliases_processed"], 1, "alias")
answer = braze.users.alias.update(
    content={
        "alias_updates": [
            {"alias_label": "crm", "old_alias_name": "D-1", "new_alias_name": "D-2"}
        ]
    }
)
same(answer["aliases_processed"], 1, "alias update")
answer = braze.users.export.ids(
    content={
        "user_aliases": [{"alias_name": "D-2", "alias_label": "crm"}],
        "fields_to_export": ["external_id", "user_aliases"],
    }
)
same(
    answer["users"],
    [{"external_id": "dan", "user_aliases": [{"alias_name": "D-2", "alias_label": "crm"}]}],
    "export by alias",
)
braze.users.alias.new(
    content={"user_aliases": [{"alias_name": "N-1", "alias_label": "nameless"}]}
)
answer = braze.users.identify(
    content={
        "aliases_to_identify": [
            {"external_id": "dan",
             "user_alias": {"alias_name": "N-1", "alias_label": "nameless"}}
        ],
        "merge_behavior": "merge",
    }
)
same(answer["aliases_processed"], 1, "identify")
braze.users.track(content={"attributes": [{"external_id": "dan2", "city": "Kyoto"}]})
answer = braze.users.merge(
    content={
        "merge_updates": [
            {"identifier_to_merge": {"external_id": "dan2"},
             "identifier_to_keep": {"external_id": "dan"}}
        ]
    }
)
same(answer["message"], "success", "merge")
answer = braze.users.export.ids(
    content={"external_ids": ["dan", "dan2"], "fields_to_export": ["custom_attributes"]}
)
same(
    (answer["users"], answer["invalid_user_ids"]),
    ([{"custom_attributes": {"plan": "pro", "city": "Kyoto"}}], ["dan2"]), "after the merge",
)
same(braze.users.delete(content={"external_ids": ["dan"]})["deleted"], 1, "delete")
refused(
    lambda: braze.users.delete(content={}), requests.HTTPError, "a request to delete nobody"
)
done()
