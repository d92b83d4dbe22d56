/// Media types by short names.
extension MimeType {
    /// `application/json`.
    public static let json = MimeType(rawValue: "application/json")
    /// `application/x-www-form-urlencoded`.
    public static let form = MimeType(rawValue: "application/x-www-form-urlencoded")
    /// `text/plain; charset=utf-8`.
    public static let plainText = MimeType(rawValue: "text/plain; charset=utf-8")
    /// `application/octet-stream`.
    public static let binary = MimeType(rawValue: "application/octet-stream")
    /// `image/jpeg`.
    public static let jpg = MimeType(rawValue: "image/jpeg")
    /// `image/png`.
    public static let png = MimeType(rawValue: "image/png")
    /// `image/gif`.
    public static let gif = MimeType(rawValue: "image/gif")
    /// `image/tiff`.
    public static let tiff = MimeType(rawValue: "image/tiff")
    /// `video/mp4`.
    public static let mp4 = MimeType(rawValue: "video/mp4")
    /// `video/quicktime`.
    public static let mov = MimeType(rawValue: "video/quicktime")
    /// `application/pdf`.
    public static let pdf = MimeType(rawValue: "application/pdf")
}
