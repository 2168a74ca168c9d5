// The limits of extracting from an archive. The reader enforces them, and the server does when it accepts the reader's
// output.

/** Maximum number of entries listed or unpacked. */
export const mostListed = 10_000
/** Maximum size in bytes of a file that is extracted. */
export const largestEntry = 64 * 1024 * 1024
/** Maximum total size in bytes when a whole archive is unpacked. */
export const mostUnpacked = 512 * 1024 * 1024
/** Maximum size in bytes of an entry's header: a path and a few numbers. */
export const longestHead = 256 * 1024
