"""braze-mcp-server, Braze's own: it reads every answer into a model and says where it does not fit.

Its tools are called as its server calls them. One that cannot read an answer returns a plain object
instead of a model.
"""

import asyncio
import types

from braze_mcp import tools
from braze_mcp.utils.context import BrazeContext
from braze_mcp.utils.http import build_http_client
from facts import FACTS, KEY, URL, done, same


async def main():
    client = build_http_client(KEY)
    context = types.SimpleNamespace(
        request_context=types.SimpleNamespace(
            lifespan_context=BrazeContext(api_key=KEY, base_url=URL, http_client=client)
        )
    )

    async def call(name, **arguments):
        answer = await getattr(tools, name)(context, **arguments)
        same(isinstance(answer, dict), False, f"{name} reads {answer}")
        return answer

    autumn = FACTS["campaigns"]["Autumn"]
    listed = (await call("get_campaign_list")).campaigns
    same({row.name: row.id for row in listed}, FACTS["campaigns"], "get_campaign_list")
    details = await call("get_campaign_details", campaign_id=autumn)
    # It was sent at once and is over.
    same((details.name, details.enabled, details.draft), ("Autumn", False, False), "a campaign")
    same([behaviour.window for behaviour in details.conversion_behaviors], [259200], "conversions")
    series = (await call("get_campaign_dataseries", campaign_id=autumn, length=2)).data
    same(sum(row.unique_recipients for row in series), FACTS["sent"]["Autumn"], "its recipients")
    receipt = FACTS["campaigns"]["Receipt"]
    sends = await call(
        "get_send_data_series", campaign_id=receipt, send_id=FACTS["send_id"], length=2
    )
    same(sum(row.unique_recipients for row in sends.data), 1, "get_send_data_series")

    segments = (await call("get_segment_list")).segments
    same([(row.name, row.id) for row in segments], [("Pros", FACTS["segment"])], "segments")
    segment = await call("get_segment_details", segment_id=FACTS["segment"])
    same(segment.name, "Pros", "get_segment_details")
    await call("get_segment_data_series", segment_id=FACTS["segment"], length=7)
    waiting = (
        await call("get_scheduled_broadcasts", end_time="2036-01-01T00:00:00Z")
    ).scheduled_broadcasts
    same([row.name for row in waiting], ["Happy new year"], "get_scheduled_broadcasts")

    same((await call("get_events_list")).events, ["rated", "viewed_item"], "get_events_list")
    events = await call("get_events")
    same([row.name for row in events.events], ["rated", "viewed_item"], "get_events")
    same(events.pagination_info.has_more_pages, False, "pages of get_events")
    counts = (await call("get_events_data_series", event="viewed_item", length=3)).data
    same({row.time: row.count for row in counts}, FACTS["viewed"], "get_events_data_series")
    attributes = (await call("get_custom_attributes")).attributes
    same(
        [(row.name, row.data_type.split()[0]) for row in attributes],
        [("plan", "String"), ("visits", "Number")], "get_custom_attributes",
    )

    today = FACTS["today"]
    new = (await call("get_new_users_data_series", length=1)).data
    same([(row.time, row.new_users) for row in new], [(today, 3)], "new users")
    dau = (await call("get_dau_data_series", length=1)).data
    same([(row.time, row.dau) for row in dau], [(today, 2)], "daily users")
    mau = (await call("get_mau_data_series", length=1)).data
    same([(row.time, row.mau) for row in mau], [(today, 2)], "monthly users")
    gone = (await call("get_uninstalls_data_series", length=1)).data
    same([(row.time, row.uninstalls) for row in gone], [(today, 0)], "uninstalls")
    sessions = (await call("get_session_data_series", length=1)).data
    same([(row.time, row.sessions) for row in sessions], [(today, 2)], "sessions")
    same((await call("get_product_list")).products, ["cup", "tea"], "products")
    pieces = (await call("get_quantity_series", length=3)).data
    same(sum(row.purchase_quantity for row in pieces), 3, "pieces")
    revenue = (await call("get_revenue_series", length=3)).data
    same(sum(row.revenue for row in revenue), sum(FACTS["revenue"].values()), "revenue")

    catalogs = (await call("get_catalogs")).catalogs
    same(
        [(row.name, row.num_items, row.storage_size > 0) for row in catalogs],
        [("teas", FACTS["items"], True)], "get_catalogs",
    )
    same([row.name for row in catalogs[0].selections], ["dear"], "selections")
    page = await call("get_catalog_items", catalog_name="teas")
    same((len(page.items), page.pagination_info.has_more_pages), (50, True), "the first page")
    rest = await call(
        "get_catalog_items", catalog_name="teas", cursor=page.pagination_info.next_cursor
    )
    same((len(rest.items), rest.items[-1].id), (FACTS["items"] - 50, "T-059"), "the last page")
    item = await call("get_catalog_item", catalog_name="teas", item_id="T-007")
    same([row.price for row in item.items], [7], "get_catalog_item")

    blocks = (await call("get_content_blocks")).content_blocks
    same([(row.name, row.inclusion_count) for row in blocks], [("greeting", 1)], "blocks")
    block = await call(
        "get_content_block_info", content_block_id=FACTS["block"], include_inclusion_data=True
    )
    same([place.campaign_id for place in block.inclusion_data], [autumn], "where a block is")
    groups = await call("get_user_subscription_groups", external_id="ada")
    same(
        [(row.name, row.status) for row in groups.users[0].subscription_groups],
        [("Letter", "Subscribed")], "get_user_subscription_groups",
    )
    status = await call(
        "get_subscription_group_status", subscription_group_id=FACTS["group"], external_id="eve"
    )
    same(status.status, {"eve": "Unknown"}, "get_subscription_group_status")
    same((await call("get_canvas_list")).canvases, [], "get_canvas_list")

    centers = (await call("get_preference_centers")).preference_centers
    same(
        [(row.name, row.preference_center_api_id) for row in centers],
        [("letters", FACTS["center"])], "get_preference_centers",
    )
    center = await call(
        "get_preference_center_details", preference_center_id=FACTS["center"]
    )
    same(
        (center.preference_center_page_html, center.state), ("<p>Choose</p>", "active"),
        "get_preference_center_details",
    )
    integrations = (await call("list_integrations")).results
    same(
        {row.integration_name: row.integration_id for row in integrations},
        {"loyalty": FACTS["integration"], "broken": FACTS["broken_integration"]},
        "list_integrations",
    )
    jobs = (
        await call("get_integration_job_sync_status", integration_id=FACTS["integration"])
    ).results
    same(jobs, [], "get_integration_job_sync_status")
    keys = (await call("get_sdk_authentication_keys", app_id=FACTS["app"])).keys
    same(
        [(row.id, row.description, row.is_primary) for row in keys],
        [(FACTS["sdk_authentication_key"], "The first", True)], "get_sdk_authentication_keys",
    )
    await client.aclose()


asyncio.run(main())
done()
