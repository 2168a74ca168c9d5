// One network that files are sent to: its name, the linked server or none, and the public key of the other side.
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { WindowProps } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { DialogBody, DialogFooter } from '../kit/dialog.tsx'
import { Select } from '../kit/select.tsx'
import { Field, Input } from '../organisation/index.ts'
import { refetchExchange } from './exchange-queries.ts'
import type { NetworkProps } from './window-props.ts'
import './exchange-texts.ts'
import './exchange.css'

export function ExchangeNetworkWindow({
  network,
  servers,
  close,
  setDirty,
}: WindowProps<NetworkProps, boolean>): ReactNode {
  const t = useT()
  const [form, setForm] = useState({
    ...{ targetServerCode: network?.targetServerCode ?? '', targetName: network?.targetName ?? '' },
    ...{ description: network?.description ?? '', serverId: network?.serverId ?? 0, peerKey: '' },
  })
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<typeof form>): void => {
    setForm({ ...form, ...change })
    setProblem('')
    setDirty(true)
  }
  const save = async (): Promise<void> => {
    if (form.targetName.trim() === '' || !/^[\w-]{1,40}$/.test(form.targetServerCode))
      return setProblem(t('exchange.network.wrong'))
    setBusy(true)
    try {
      await api.setExchangeNetwork(form, { quiet: true })
      refetchExchange()
      setDirty(false)
      close(true)
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      setProblem(failure.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="ex-form">
          <Field label={t('exchange.network.name')}>
            <Input
              label={t('exchange.network.name')}
              value={form.targetName}
              maxLength={100}
              onChange={({ target }) => set({ targetName: target.value })}
            />
          </Field>
          <Field label={t('exchange.network.code')} help={t('exchange.network.code.more')}>
            <Input
              label={t('exchange.network.code')}
              value={form.targetServerCode}
              maxLength={40}
              disabled={network !== undefined}
              onChange={({ target }) => set({ targetServerCode: target.value })}
            />
          </Field>
          <Field label={t('exchange.network.road')}>
            <Select
              label={t('exchange.network.road')}
              value={form.serverId}
              options={[
                { value: 0, label: t('exchange.transport.bundle') },
                ...servers.map(({ serverId, serverName }) => ({ value: serverId, label: serverName })),
              ]}
              onChange={(serverId) => set({ serverId })}
            />
          </Field>
          <Field label={t('exchange.network.key')} help={t('exchange.network.key.more')}>
            {network !== undefined && network.peerKey !== null && (
              <code className="ex-key">{network.peerKey.fingerprint}</code>
            )}
            <Input
              label={t('exchange.network.key')}
              value={form.peerKey}
              maxLength={500}
              placeholder="cloudoc-exchange-key:"
              onChange={({ target }) => set({ peerKey: target.value })}
            />
          </Field>
        </div>
      </DialogBody>
      <DialogFooter>
        {problem !== '' && (
          <span className="k-problem" role="alert">
            {problem}
          </span>
        )}
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void save()}>
          {t('exchange.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
