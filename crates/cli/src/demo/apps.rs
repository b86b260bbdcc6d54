//! The demo's apps as a requester would describe them: what workers are told, and the form or page that they answer with.
//! How long they take stands in `demo.toml`.

use serde_json::{Map, Value, json};

/// What workers are told and shown, by the app's name.
pub(super) fn described(name: &str) -> Map<String, Value> {
    let said = match name {
        "image moderation" => json!({
            "instructions": "A picture is described in a sentence. Decide whether it may be shown to everybody. \
                Remove personal data, advertising, violence, weapons and drugs; keep everything else.",
            "form": {"show": [{"input": "shows", "label": "The picture shows"}, {"input": "posted in", "label": "Posted in"},
                {"input": "picture", "label": "Picture"}], "fields": [
                {"name": "decision", "label": "May it be shown?", "type": "choice", "options": ["keep it", "remove it"]},
                {"name": "reasons", "label": "If not, why?", "type": "choices", "required": false,
                    "options": ["personal data", "advertising", "violence", "weapons", "drugs"]}]}
        }),
        "reply check" => json!({
            "instructions": "Read what a customer asks and the reply that is about to be sent. Say whether it answers the \
                question, and how it sounds.",
            "template": include_str!("reply_check.html"),
        }),
        "receipts" => json!({
            "instructions": "Type in what the receipt says: the shop in the first line, the date, the total at the end and its currency.",
            "form": {"show": [{"input": "receipt", "label": "Receipt"}], "fields": [
                {"name": "shop", "label": "Shop", "type": "text"},
                {"name": "date", "label": "Date", "type": "text", "hint": "As in 2026-03-31"},
                {"name": "total", "label": "Total", "type": "number", "least": 0, "step": 0.01},
                {"name": "currency", "label": "Currency", "type": "choice", "options": ["EUR", "USD", "GBP"]}]}
        }),
        _ => json!({
            "instructions": "Put the product on the shelf where a customer would look for it first.",
            "form": {"show": [{"input": "product", "label": "Product"}, {"input": "description", "label": "Description"},
                {"input": "price", "label": "Price"}], "fields": [
                {"name": "category", "label": "Where does it belong?", "type": "choice",
                    "options": ["home", "kitchen", "clothing", "electronics", "sports", "books", "toys"]}]}
        }),
    };
    match said {
        Value::Object(said) => said,
        _ => Map::new(),
    }
}
