// The administration page of features: what is there for everybody, and what is switched off.
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { Switch } from '../../kit/switch.tsx'
import './texts.ts'
import { EventTester } from './event-tester.tsx'
import '../settings/settings.css'
import './features.css'

type Feature = Answer<typeof calls.getFeatures>['list'][number]

const featuresKey = ['admin', 'features'] as const

export function FeaturesPage(): ReactNode {
  const t = useT()
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: featuresKey,
    queryFn: () => api.getFeatures({}),
  })
  return (
    <AdminBody
      title={t('features.title')}
      note={data && t('features.note', { n: data.list.filter(({ isOn }) => isOn).length, of: data.list.length })}
    >
      {data === undefined ? (
        error === null ? (
          <Spinner />
        ) : (
          <LoadFailure error={error} retry={refetch} />
        )
      ) : (
        <div className="fs-page">
          <section className="fs-list" aria-label={t('features.title')}>
            {data.list.map((one) => (
              <Row key={one.feature} one={one} now={dataUpdatedAt} />
            ))}
          </section>
          <EventTester />
        </div>
      )}
    </AdminBody>
  )
}

function Row({ one: { feature, isOn, changed }, now }: { readonly one: Feature; readonly now: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const name = t(`features.${feature}`)
  const change = async (on: boolean): Promise<void> => {
    const isMeant =
      on ||
      (await confirmBox({
        title: t('features.sure', { name }),
        text: t('features.sureMore'),
        ok: t('features.turnOff'),
        danger: true,
      }))
    if (!isMeant) return
    setBusy(true)
    try {
      await api.setFeature({ feature, isOn: on })
      toast({ kind: 'success', text: t(on ? 'features.isOn' : 'features.isOff', { name }) })
      await queryClient.invalidateQueries({ queryKey: featuresKey })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="ad-set">
      <div className="ad-set-words" id={id}>
        <b>{name}</b>
        <p>{t(`features.${feature}.more`)}</p>
        {changed !== null && (
          <small title={fullTime(changed.at)}>
            {t('features.changed', { who: changed.by, when: shortTime(changed.at, now, locale) })}
          </small>
        )}
      </div>
      <Switch
        label={name}
        on={isOn}
        disabled={busy}
        describedBy={id}
        onChange={(on) => void change(on).catch(notifyFailure)}
      />
    </div>
  )
}
