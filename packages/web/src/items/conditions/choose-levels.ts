// Chooses the secret levels of uploaded files ([R234]). It asks when the user requests it, or when the server requires
// it for users who have a level. If the folder remembers the choice, it asks only once.
import { sessionStore } from '../../core/session/session.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { SecretChoice } from './levels.tsx'

const noLevel: SecretChoice = { secretLevel: 0, duration: 0, unit: 0 }

/** Returns the choice stored for a folder, or undefined if the stored value is invalid. */
function remembered(key: string): SecretChoice | undefined {
  const [secretLevel, duration, unit] = (stored(key) ?? '').split(' ').map(Number)
  if (secretLevel === undefined || duration === undefined || !Number.isInteger(secretLevel + duration)) return undefined
  return unit === 0 || unit === 1 || unit === 2 || unit === 3 ? { secretLevel, duration, unit } : undefined
}

/** Returns the level of each file, or undefined if the user cancels the upload. */
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
