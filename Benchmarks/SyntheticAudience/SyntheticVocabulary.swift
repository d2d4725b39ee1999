/// The vocabulary of the synthetic audience; the same as in `generate_audience.py`.
enum SyntheticVocabulary {
    struct Country {
        let code: String
        let language: String
        let city: String
        let zone: String
        let weight: Int
    }

    static let firstNames = words(
        "Ada Ben Chloe Diego Elif Farid Grace Hugo Ines Jonas Kira Liam Mei Noah Olga Pablo "
            + "Quinn Rosa Sven Tara Umar Vera Wang Xena Yara Zoe Amir Bea Carl Dana Emil Finn"
    )
    static let lastNames = words(
        "Adams Baker Costa Diaz Evans Fischer Garcia Haas Ito Jensen Kim Lopez Meyer Novak "
            + "Okafor Perez Quist Rossi Silva Tanaka Ueda Vogel Weber Xu Young Zhang Ali Brown "
            + "Chen Dubois Ek Fox"
    )
    static let countries: [Country] = [
        country("US", "en", "New York", "America/New_York", 300),
        country("BR", "pt", "Sao Paulo", "America/Sao_Paulo", 90),
        country("IN", "en", "Mumbai", "Asia/Kolkata", 90),
        country("DE", "de", "Berlin", "Europe/Berlin", 80),
        country("GB", "en", "London", "Europe/London", 70),
        country("FR", "fr", "Paris", "Europe/Paris", 60),
        country("JP", "ja", "Tokyo", "Asia/Tokyo", 60),
        country("MX", "es", "Mexico City", "America/Mexico_City", 50),
        country("ES", "es", "Madrid", "Europe/Madrid", 40),
        country("IT", "it", "Rome", "Europe/Rome", 40),
        country("CA", "en", "Toronto", "America/Toronto", 30),
        country("KR", "ko", "Seoul", "Asia/Seoul", 20),
        country("NL", "nl", "Amsterdam", "Europe/Amsterdam", 15),
        country("TR", "tr", "Istanbul", "Europe/Istanbul", 15),
        country("PL", "pl", "Warsaw", "Europe/Warsaw", 10),
        country("AU", "en", "Sydney", "Australia/Sydney", 10),
        country("SE", "sv", "Stockholm", "Europe/Stockholm", 8),
        country("NG", "en", "Lagos", "Africa/Lagos", 7),
        country("PT", "pt", "Lisbon", "Europe/Lisbon", 3),
        country("NZ", "en", "Auckland", "Pacific/Auckland", 2),
    ]
    static let genders = words("female male other unknown")
    static let plans: [(name: String, weight: Int)] = [
        ("free", 60), ("basic", 25), ("pro", 12), ("enterprise", 3),
    ]
    static let categories = words(
        "books music sports fashion garden food travel gaming toys beauty auto pets"
    )
    static let interests = words(
        "running cycling yoga cooking reading movies hiking football chess coding painting "
            + "fishing sailing dancing camping skiing surfing knitting climbing astronomy"
    )
    static let tags = words(
        "early_adopter beta newsletter referral churn_risk high_value student family b2b "
            + "vip_event"
    )
    static let codes = words("SUMMER WINTER FRIEND PARTNER PROMO")
    static let events = words(
        "screen_view session_start product_view search add_to_cart purchase share favorite "
            + "notification_open remove_from_cart checkout_start coupon_applied video_play "
            + "video_complete article_read level_up login logout signup profile_update "
            + "rating_given review_written invite_sent invite_accepted subscription_start "
            + "subscription_cancel payment_failed refund_requested support_opened "
            + "support_closed tutorial_start tutorial_complete quest_done badge_earned "
            + "location_shared photo_upload comment_posted follow unfollow app_background"
    )

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    private static func country(
        _ code: String,
        _ language: String,
        _ city: String,
        _ zone: String,
        _ weight: Int
    ) -> Country {
        Country(code: code, language: language, city: city, zone: zone, weight: weight)
    }
}
