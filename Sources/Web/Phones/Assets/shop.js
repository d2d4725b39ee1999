// The tea shop in the app. What is done there the app's SDK records: events with properties, purchases,
// and who does it.
import { make } from "./dom.js";

export function shopCard({ shop, user, language }, words, perform) {
  const price = (amount) =>
    amount.toLocaleString(language, { style: "currency", currency: shop.currency });
  const button = (text, action, more) =>
    make("button", { type: "button", onclick: () => perform(action, more) }, text);
  const card = make("div.app-card.shop", {}, make("div.label", {}, words.menu));
  for (const tea of shop.menu) {
    card.append(make("button.tea", {
      type: "button", "aria-pressed": String(tea.name === shop.viewed),
      onclick: () => perform("viewTea", { tea: tea.name }),
    }, make("span", {}, tea.name), make("span", {}, price(tea.price))));
  }
  if (shop.viewed) {
    card.append(button(words.add_to_cart.replace("{tea}", shop.viewed), "addToCart"));
  }
  if (shop.cart.length > 0) {
    const total = shop.cart.reduce((sum, tea) => sum + tea.price, 0);
    card.append(make("p.cart", {}, shop.cart.map((tea) => tea.name).join(", ")),
      button(words.buy.replace("{total}", price(total)), "buy"));
  }
  card.append(user ? button(words.log_out, "logOut") : signUp(words, perform));
  return card;
}

function signUp(words, perform) {
  const field = make("input", {
    type: "text", placeholder: words.your_name, "aria-label": words.your_name, autocomplete: "off",
  });
  return make("form", {
    onsubmit: (event) => {
      event.preventDefault();
      if (field.value.trim()) perform("signUp", { user: field.value.trim() });
    },
  }, field, make("button", { type: "submit" }, words.sign_up));
}
