// The actions on the files of a previewed archive.
import type { ListedEntry } from '@cloudoc/contract'
import type { NameEncoding } from '@cloudoc/domain'

/** A file in an archive, with its path in a name encoding; undefined: the encoding that the server detects. */
export type DecodedEntry = ListedEntry & { readonly names?: NameEncoding | undefined }

/**
 * The actions of a user who may download the archive: download a file from it, save it to a folder, or get its preview
 * as an object URL.
 */
export interface ArchiveAccess {
  readonly download: (entry: DecodedEntry) => void
  /** Saves the file to a folder of the drive. */
  readonly save: (entry: DecodedEntry) => void
  /** Extracts the whole archive to a folder of the drive. */
  readonly saveAll: (names: NameEncoding | undefined) => void
  readonly open: (entry: DecodedEntry) => Promise<string>
}
