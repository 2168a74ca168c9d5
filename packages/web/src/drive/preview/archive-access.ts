// What one may do with the files of an archive that is shown.
import type { ListedEntry } from '@cloudoc/contract'

/** For whoever may have the archive: takes one file out of it, to here or into a folder, or gets what is shown of it as an address in this page. */
export interface ArchiveAccess {
  readonly take: (entry: ListedEntry) => void
  /** Puts it into a folder of the drive. */
  readonly save: (entry: ListedEntry) => void
  /** Puts all of it into a folder of the drive. */
  readonly all: () => void
  readonly open: (entry: ListedEntry) => Promise<string>
}
