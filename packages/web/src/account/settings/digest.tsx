// The digest mail about unread notices: how often it is sent, and why none is sent.
import { type DigestTimes, digestTimes } from '@cloudoc/contract'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Select } from '../../kit/select.tsx'
import { SettingRow } from '../frame/side-pages.tsx'

type Known = Awaited<ReturnType<typeof api.getDigest>>

export function DigestSettings(): ReactNode {
  const t = useT()
  // The server takes the language of the digest from the next `setDigest` call.
  const locale = useLocale()
  const [known, setKnown] = useState<Known>()
  useEffect(() => {
    api.getDigest({}, { quiet: true }).then(setKnown, () => undefined)
  }, [])
  if (known === undefined) return null
  const choose = async (every: DigestTimes): Promise<void> => {
    const { timeZone } = Intl.DateTimeFormat(locale).resolvedOptions()
    await api.setDigest({ every, timeZone })
    setKnown({ ...known, every })
    toast({ kind: 'success', text: t('digest.saved') })
  }
  const { every, email, ready } = known
  const note = ready ? (email === '' ? t('digest.noAddress') : t('digest.note', { email })) : t('digest.notReady')
  return (
    <SettingRow label={t('digest.title')} note={note}>
      <Select
        size="small"
        label={t('digest.title')}
        value={every}
        disabled={every === 'never' && (!ready || email === '')}
        options={digestTimes.map((value) => ({ value, label: t(`digest.${value}`) }))}
        onChange={(value) => void choose(value)}
      />
    </SettingRow>
  )
}
