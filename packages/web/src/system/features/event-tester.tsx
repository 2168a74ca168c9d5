// Sends samples of pushes to the operator's own clients.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import './texts.ts'

export function EventTester(): ReactNode {
  const t = useT()
  const [chosen, setChosen] = useState('settingsChanged')
  const { data } = useQuery({ queryKey: ['admin', 'testPushes'], queryFn: () => api.getTestPushes({}) })
  const list = (data?.list ?? []).toSorted((a, b) => a.type - b.type)
  const one = list.find(({ name }) => name === chosen)
  const send = async (name: string): Promise<void> => {
    const { count, clients } = await api.sendTestPush({ name })
    if (clients === 0) return toast({ kind: 'error', text: t('features.test.none') })
    toast({
      kind: 'success',
      text: name === '' ? t('features.test.allSent', { n: count }) : t('features.test.sent', { name, n: clients }),
    })
  }
  return (
    <section className="fs-tester" aria-label={t('features.test')}>
      <h2>{t('features.test')}</h2>
      <p>{t('features.test.more')}</p>
      <div className="fs-line">
        <Select
          label={t('features.test.kind')}
          value={chosen}
          options={list.map(({ name, type, summary }) => ({ value: name, label: `${type} ${name}`, note: summary }))}
          onChange={setChosen}
        />
        <Button kind="primary" disabled={one === undefined} onClick={() => void send(chosen).catch(notifyFailure)}>
          {t('features.test.send')}
        </Button>
        <Button disabled={list.length === 0} onClick={() => void send('').catch(notifyFailure)}>
          {t('features.test.all')}
        </Button>
      </div>
      {one?.ends === true && (
        <p className="k-problem" role="alert">
          {t('features.test.ends')}
        </p>
      )}
      {one !== undefined && <pre className="fs-sample">{one.sample}</pre>}
    </section>
  )
}
