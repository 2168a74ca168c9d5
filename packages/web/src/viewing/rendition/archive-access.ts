// What one may do with the files of an archive that is shown.
import type { ListedEntry } from '@cloudoc/contract'
import type { NameEncoding } from '@cloudoc/domain'

/** A file of an archive, by the path that it has in an encoding of names; undefined: in the one that the server takes. */
export type DecodedEntry = ListedEntry & { readonly names?: NameEncoding | undefined }

/** For whoever may have the archive: takes one file out of it, to here or into a folder, or gets what is shown of it as an address in this page. */
export interface ArchiveAccess {
  readonly download: (entry: DecodedEntry) => void
  /** Puts it into a folder of the drive. */
  readonly save: (entry: DecodedEntry) => void
  /** Puts all of it into a folder of the drive. */
  readonly saveAll: (names: NameEncoding | undefined) => void
  readonly open: (entry: DecodedEntry) => Promise<string>
}
