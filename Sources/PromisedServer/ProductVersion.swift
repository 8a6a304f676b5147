/// The version of the product.
public enum ProductVersion {
    /// Major, minor and patch, as `/version` and `promised version` show it.
    public static let text = "0.1.0"
}
