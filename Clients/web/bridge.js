// What the page of an HTML message may ask of the SDK: `window.noroshiBridge`, with the methods that
// pages written for Braze's bridge call, and the names `brazeBridge` and `appboyBridge` for it. A page
// waits for the event `ab.BridgeReady` on `window`.
//
// The script runs before the page's own scripts and posts JSON, so that 1 is not `true`: in an app's
// web view to its handler `noroshi`, in a frame to the page around it.

function install() {
  "use strict";
  if (window.noroshiBridge) { return; }
  var handlers = window.webkit && window.webkit.messageHandlers
    && window.webkit.messageHandlers.noroshi ? window.webkit.messageHandlers : null;
  function post(method, values) {
    var call = JSON.stringify({ method: method, arguments: Array.prototype.slice.call(values) });
    if (handlers) { handlers.noroshi.postMessage(call); }
    else if (window.parent !== window) { window.parent.postMessage(call, "*"); }
  }
  function methods(names, prefix) {
    var target = {};
    names.forEach(function (name) {
      target[name] = function () { post(prefix + name, arguments); };
    });
    return target;
  }
  var bridge = methods(["closeMessage", "requestImmediateDataFlush", "logClick", "logCustomEvent",
    "logPurchase", "changeUser", "requestPushPermission"], "");
  var user = methods(["addAlias", "setFirstName", "setLastName", "setEmail", "setGender",
    "setDateOfBirth", "setCountry", "setHomeCity", "setLanguage", "setPhoneNumber",
    "setEmailNotificationSubscriptionType", "setPushNotificationSubscriptionType",
    "setCustomUserAttribute", "incrementCustomUserAttribute", "addToCustomAttributeArray",
    "removeFromCustomAttributeArray", "setCustomLocationAttribute", "addToSubscriptionGroup",
    "removeFromSubscriptionGroup"], "user.");
  if (!handlers) {
    // A frame must not leave: where a link leads is the page's affair around it. An app's web view
    // hears of links by itself.
    document.addEventListener("click", function (event) {
      var link = event.target.closest && event.target.closest("a[href]");
      if (!link) { return; }
      event.preventDefault();
      post("link", [link.href]);
    });
  }
  bridge.getUser = function () { return user; };
  bridge.web = { registerAppboyPushMessages: bridge.requestPushPermission };
  window.noroshiBridge = window.brazeBridge = window.appboyBridge = bridge;
  function ready() { window.dispatchEvent(new Event("ab.BridgeReady")); }
  if (document.readyState === "complete") { ready(); }
  else { window.addEventListener("load", ready); }
}

/** The script, as text for a page. */
export const bridgeScript = `(${install})();`;
