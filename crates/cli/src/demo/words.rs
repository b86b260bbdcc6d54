//! The lists that the demo's tasks are put together from. Nothing here is decided.

/// Pictures that may be shown.
pub(super) const PICTURES: &[&str] = &[
    "A wooden chair with a blue cushion, seen from the side, on a white background.",
    "A dog asleep on a sofa; a lamp is for sale beside it.",
    "Three ceramic bowls, stacked, one with a small chip at the rim.",
    "A bicycle leaning against a garden wall in the sun.",
    "A hotel room with two beds and a view of the sea.",
    "A plate of pasta on a terrace, a church tower behind it.",
    "A hand holding an old pocket watch, its glass scratched.",
    "A family in front of a waterfall, all in rain coats.",
    "A shelf with about forty paperbacks, spines readable.",
    "A child's drawing of a ship, in a frame.",
    "A tent by a lake at dusk, two people cooking.",
    "A pair of running shoes, worn, soles to the camera.",
    "A mountain path with a wooden sign; fog.",
    "A record player with its lid open, a record on it.",
];

/// Pictures that must go, and why.
pub(super) const PICTURES_REFUSED: &[(&str, &str)] = &[
    ("A passport lying open; the name and the number can be read.", "personal data"),
    ("A credit card, front side, all digits visible.", "personal data"),
    ("A letter with somebody's home address and date of birth.", "personal data"),
    ("Large red letters: BUY FOLLOWERS CHEAP, with a web address.", "advertising"),
    ("A flyer for a casino with a bonus code.", "advertising"),
    ("Two men fighting in a street, one of them bleeding.", "violence"),
    ("A hunting rifle with a price tag.", "weapons"),
    ("A bag of pills beside a handwritten price list.", "drugs"),
];

/// Where pictures are posted.
pub(super) const PLACES: &[&str] =
    &["a listing", "a guest review", "a profile", "a message to the seller", "a travel diary"];

/// What customers ask, and a reply that helps.
pub(super) const QUESTIONS: &[(&str, &str)] = &[
    (
        "My train was cancelled. Do I have to pay for the hotel night?",
        "You do not have to pay: bookings that follow a cancelled train can be cancelled free of charge until 18:00. I have done it for you.",
    ),
    (
        "Can I bring my dog to the mountain hut?",
        "Yes, dogs are welcome in the ground floor rooms. It costs 8 euros a night, and I have noted it on your booking.",
    ),
    (
        "The reading room was closed yesterday although the web page said open. When can I come?",
        "I am sorry that you came for nothing: the heating had failed. We are open again today until 19:00, and your order of files is kept for you.",
    ),
    (
        "I was charged twice for the same ticket.",
        "Thank you for telling us. The second charge was refunded this morning; it takes two to three days to show on your account.",
    ),
    (
        "How do I change the name on a booking?",
        "Open the booking, choose 'Travellers' and edit the name there. It is free until two days before departure.",
    ),
    (
        "May I photograph the maps for my thesis?",
        "Yes, without flash and for study. For printing them you need our permission, which costs nothing for a thesis: here is the form.",
    ),
    (
        "Where do I find the invoice for my last trip?",
        "Under 'My trips', at the bottom of each trip. I have also sent it to your address again.",
    ),
];

/// Replies that do not help.
pub(super) const UNHELPFUL: &[&str] = &[
    "Please see our terms and conditions.",
    "This has been answered many times. Use the search.",
    "We have forwarded your message to the responsible department.",
    "That is not our problem.",
    "Have you tried to log out and in again?",
];

/// Shops on receipts.
pub(super) const SHOPS: &[&str] = &[
    "Kiosk am Hafen",
    "Corner Bakery",
    "Café Lumière",
    "Northside Taxi",
    "Hotel Seeblick",
    "Green Grocer & Sons",
    "Stationery Plus",
    "Trattoria Da Nino",
];

/// What receipts are in.
pub(super) const CURRENCIES: &[&str] = &["EUR", "USD", "GBP"];

/// What is bought; none is longer than 17 letters.
pub(super) const WARES: &[&str] = &[
    "Coffee",
    "Sandwich",
    "Orange juice",
    "City ride",
    "Notebook A5",
    "Printer paper",
    "Lunch menu",
    "Room service",
    "Mineral water",
    "Apple pie",
    "Phone charger",
    "Luggage locker",
];

/// Products, what is said of them, and where they belong.
pub(super) const PRODUCTS: &[(&str, &str, &str)] = &[
    ("Walnut side table", "Round, 45 cm, three legs, oiled.", "home"),
    ("Linen bed sheet", "240 x 260 cm, stone grey, washed.", "home"),
    ("Cast-iron pan", "28 cm, for every stove, 2.4 kg.", "kitchen"),
    ("Bread knife", "Serrated, 24 cm blade, beech handle.", "kitchen"),
    ("Rain jacket", "Packable, taped seams, hood in the collar.", "clothing"),
    ("Merino socks", "Three pairs, mid-calf, charcoal.", "clothing"),
    ("Noise-cancelling headphones", "30 hours of battery, folds flat.", "electronics"),
    ("USB-C hub", "Seven ports, 100 W, aluminium.", "electronics"),
    ("Trail running shoes", "6 mm drop, sticky rubber.", "sports"),
    ("Climbing rope", "60 m, 9.5 mm, dry treated.", "sports"),
    ("Atlas of rivers", "320 pages, 180 maps, cloth bound.", "books"),
    ("Ship's log, 1871", "Facsimile with transcription.", "books"),
    ("Wooden train set", "42 pieces, birch, from age 3.", "toys"),
    ("Kite", "Single line, 1.2 m, with reel.", "toys"),
];

/// What people are called.
pub(super) const NAMES: &[&str] = &[
    "Amara", "Ben", "Chiara", "Dmitri", "Elif", "Farid", "Grace", "Hana", "Ivo", "Jonas", "Keiko", "Lucía",
    "Mateo", "Nadia", "Omar", "Priya", "Quentin", "Rosa", "Sven", "Tomás", "Uma", "Vera", "Wanjiru", "Yusuf",
    "Zoë", "Aroha", "Björn", "Carmen", "Desta", "Emil",
];
