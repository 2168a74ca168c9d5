// Whether the office server responds correctly. Shown below the file settings.
import type { SettingName } from '@cloudoc/contract'
import { type ReactNode, useId, useState } from 'react'
import { useStore } from 'zustand'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { draftStore } from './setting-drafts.ts'

const tested: readonly SettingName[] = ['office_server', 'preview_multi_edit']

export function OfficePart({ address }: { readonly address: string }): ReactNode {
  const t = useT()
  const id = useId()
  const unsaved = useStore(draftStore, ({ drafts }) => tested.some((name) => name in drafts))
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ readonly good: boolean; readonly words: string }>()
  const blocked = unsaved ? t('admin.office.unsaved') : address === '' ? t('admin.office.none') : undefined
  const test = async (): Promise<void> => {
    setBusy(true)
    setOutcome(undefined)
    try {
      const { edits, others } = await api.testOfficeServer({}, { quiet: true })
      const words =
        edits.length === 0
          ? t('admin.office.noneOfOurs', { n: others })
          : t('admin.office.edits', { which: edits.join(t('admin.set.comma')) })
      setOutcome({ good: edits.length > 0, words })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setOutcome({ good: false, words: error.message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="ad-set">
      <div className="ad-set-words" id={id}>
        <b>{t('admin.office.test')}</b>
        <p>{blocked ?? t('admin.office.testMore')}</p>
        {outcome !== undefined && (
          <p className={outcome.good ? 'ad-mail-sent' : 'k-problem'} role={outcome.good ? 'status' : 'alert'}>
            {outcome.words}
          </p>
        )}
      </div>
      <Button disabled={busy || blocked !== undefined} aria-describedby={id} onClick={() => void test()}>
        {t(busy ? 'admin.office.testing' : 'admin.office.ask')}
      </Button>
    </div>
  )
}
