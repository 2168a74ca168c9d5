import { formatSize } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useT } from '../../core/i18n/i18n.ts'
import { forget } from '../../core/session/remembered-logins.ts'
import { useSession } from '../../core/session/session.ts'
import { type SavedLogin, savedLogins } from '../../core/storage/logins.ts'
import {
  forgetAllOfflineCopies,
  type OfflineFile,
  offlineFiles,
  trimOfflineCopies,
} from '../../core/storage/offline-copies.ts'
import { prefer, preferencesStore } from '../../core/storage/preferences.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { Delete16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { SettingRow } from '../frame/side-pages.tsx'
import { clearCache } from './clear-cache.ts'

/** The data stored in this browser, and how to delete it ([R040]). */
export function CacheSettings(): ReactNode {
  const t = useT()
  const [used, setUsed] = useState<{ usage: number; quota: number }>()
  const [logins, setLogins] = useState<readonly SavedLogin[]>([])
  useEffect(() => {
    // Undefined outside secure contexts, in spite of its declared type.
    const storage = navigator.storage as StorageManager | undefined
    void storage?.estimate().then(({ usage = 0, quota = 0 }) => setUsed({ usage, quota }))
    void savedLogins().then(setLogins)
  }, [])
  const clear = async (): Promise<void> => {
    const agreed = await confirmBox({
      title: t('cache.clear'),
      text: t('cache.confirm'),
      detail: t('cache.confirmMore'),
      ok: t('cache.clearAndExit'),
      danger: true,
    })
    if (agreed) await clearCache()
  }
  return (
    <>
      {used !== undefined && (
        <SettingRow label={t('cache.used', { size: formatSize(used.usage) })}>
          <span className="ac-hint">{t('cache.allowed', { size: formatSize(used.quota) })}</span>
        </SettingRow>
      )}
      <Offline />
      <h3>{t('cache.logins')}</h3>
      {logins.length === 0 && <p className="ac-hint">{t('cache.noLogins')}</p>}
      {logins.map(({ account, displayName }) => (
        <SettingRow key={account} label={displayName || account} note={displayName === '' ? undefined : account}>
          <Button
            size="small"
            aria-label={t('login.forget', { account })}
            onClick={() => {
              setLogins((known) => known.filter((login) => login.account !== account))
              void forget(account)
            }}
          >
            {t('cache.forget')}
          </Button>
        </SettingRow>
      ))}
      <div className="ac-danger">
        <b>{t('cache.clear')}</b>
        <p className="ac-hint">{t('cache.clearNote')}</p>
        <Button kind="danger" icon={<Delete16Regular />} onClick={() => void clear()}>
          {t('cache.clearAndExit')}…
        </Button>
      </div>
    </>
  )
}

const mb = 1024 ** 2
const sizes = [0, 50 * mb, 200 * mb, 500 * mb, 1024 * mb] as const

/** Offline copies of opened files, readable while the server is unreachable ([R067]). */
function Offline(): ReactNode {
  const t = useT()
  const { accountId } = useSession().account
  const { offlineBytes } = useStore(preferencesStore)
  const [files, setFiles] = useState<readonly OfflineFile[]>([])
  useEffect(() => {
    let gone = false
    void trimOfflineCopies(accountId, offlineBytes)
      .then(() => offlineFiles(accountId))
      .then((found) => gone || setFiles(found))
    return () => {
      gone = true
    }
  }, [accountId, offlineBytes])
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  return (
    <>
      <SettingRow label={t('cache.offline')} note={t('cache.offlineNote')}>
        <Select
          size="small"
          label={t('cache.offline')}
          value={offlineBytes}
          options={sizes.map((value) => ({
            value,
            label: value === 0 ? t('cache.offlineNone') : t('cache.offlineMost', { size: formatSize(value) }),
          }))}
          onChange={(value) => prefer({ offlineBytes: value })}
        />
      </SettingRow>
      {files.length > 0 && (
        <SettingRow label={t('cache.offlineKept', { n: files.length, size })}>
          <Button
            size="small"
            aria-label={t('cache.offlineForget')}
            onClick={() => {
              setFiles([])
              void forgetAllOfflineCopies(accountId)
            }}
          >
            {t('cache.forget')}
          </Button>
        </SettingRow>
      )}
    </>
  )
}
