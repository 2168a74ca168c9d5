// Names of local copies: legal on every system and short, whatever the file is called on the server ([R183]).
import { homedir } from 'node:os'
import { join } from 'node:path'
import { splitName } from '@cloudoc/domain'

/** Longest name of a local copy in UTF-8 bytes, so that the path stays below the 260 characters of Windows. */
const longestName = 100

const illegal = /[\\/:*?"<>|\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(?=\.|$)/iu

/** A legal name for a local copy. The server's name of the file stays in the record. */
export function localName(fileName: string): string {
  const clean = fileName
    .replace(illegal, '_')
    .replace(/[. ]+$/u, '')
    .replace(/^ +/u, '')
  const { base, ext } = splitName(clean.replace(device, '_$1'))
  const end = ext === '' ? '' : `.${ext}`
  let short = base
  while (Buffer.byteLength(short + end) > longestName) short = [...short].slice(0, -1).join('')
  return `${short.trimEnd() || '_'}${end}`
}

/** Files that office programs put beside a document while they have it open. */
export const isTemporaryFile = (name: string): boolean =>
  /^~\$|^\.~lock\.|^~WR|\.tmp$|^\.DS_Store$|\.dwl2?$|\.bak$/i.test(name)

/** The folder of local copies below the documents of a person ([R183]). */
export function editFolder(
  documents: string,
  { serverId, accountId }: { serverId: number; accountId: number },
): string {
  return join(documents, 'edit_files', `${serverId}-${accountId}`)
}

/** The folder of documents of the person of this process. */
export const documentsFolder = (): string => join(homedir(), 'Documents')
