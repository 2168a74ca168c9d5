// The levels of what is uploaded ([R234]): chosen where the person asks for that or the server wants it of those who have a
// level, once where the folder remembers it.
import { sessionStore } from '../../core/session/session.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { SecretChoice } from './levels.tsx'

const noLevel: SecretChoice = { secretLevel: 0, duration: 0, unit: 0 }

/** What was kept for a folder; nothing where it is none of what can be chosen. */
function remembered(key: string): SecretChoice | undefined {
  const [secretLevel, duration, unit] = (stored(key) ?? '').split(' ').map(Number)
  if (secretLevel === undefined || duration === undefined || !Number.isInteger(secretLevel + duration)) return undefined
  return unit === 0 || unit === 1 || unit === 2 || unit === 3 ? { secretLevel, duration, unit } : undefined
}

/** The level of each file; undefined gives the whole upload up. */
export async function chooseLevels(
  files: readonly File[],
  target: { readonly folderId: number; readonly folderName: string },
  asked: boolean,
): Promise<((file: File) => SecretChoice) | undefined> {
  const { session } = sessionStore.getState()
  if (session === undefined || files.length === 0) return () => noLevel
  const { account, setting, serverSetting } = session
  if (!setting.secret_manage || account.secretLevel === 0) return () => noLevel
  const key = `secret ${account.accountId} ${target.folderId}`
  const kept = remembered(key)
  const first = kept === undefined || kept.secretLevel > account.secretLevel ? undefined : kept
  if (!asked && (first !== undefined || !serverSetting.secret_at_upload)) return () => first ?? noLevel
  const answer = await openWindow('cloudoc-secret', {
    upload: { names: files.map(({ name }) => name), folderName: target.folderName },
    ...(first !== undefined && { first }),
  })
  if (answer === undefined) return undefined
  const [all = noLevel] = answer.choices
  store(key, answer.remember ? `${all.secretLevel} ${all.duration} ${all.unit}` : undefined)
  const byFile = new Map(files.map((file, n) => [file, answer.choices[n] ?? all]))
  return (file) => byFile.get(file) ?? all
}
