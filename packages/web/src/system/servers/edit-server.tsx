// cloudoc-linked-server: links a server, or changes a link. Its key counts only after the fingerprints were compared.
import type { Answer, calls } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import type { Linked } from './linked-list.ts'
import './texts.ts'
import './servers.css'

export interface EditServerProps {
  /** Undefined for a new one. */
  readonly server:
    | (Partial<Pick<Linked, 'caCertificate'>> &
        Pick<
          Linked,
          | 'serverId'
          | 'serverName'
          | 'apiHost'
          | 'serverCode'
          | 'bestServer'
          | 'admits'
          | 'visits'
          | 'sameNames'
          | 'checkedWith'
          | 'keys'
        >)
    | undefined
  /** The fingerprint of this server's key. */
  readonly ownKey: string
}

type Card = Pick<Answer<typeof calls.probeServer>, 'publicKey' | 'fingerprint' | 'aheadSeconds'>

/** Above it messages of the other server are refused. */
const mostSecondsApart = 300

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export function EditServer({ server, ownKey, close, setDirty }: WindowProps<EditServerProps, number>): ReactNode {
  const t = useT()
  const known = server?.keys.find(({ state }) => state === 'current')
  const [form, setForm] = useState({
    ...{ serverName: server?.serverName ?? '', apiHost: server?.apiHost ?? '', serverCode: server?.serverCode ?? '' },
    ...{ bestServer: server?.bestServer ?? '', admits: server?.admits ?? true, visits: server?.visits ?? true },
    ...{ sameNames: server?.sameNames ?? false, checkedWith: server?.checkedWith ?? '' },
    caCertificate: server?.caCertificate ?? '',
  })
  const [card, setCard] = useState<Card | undefined>(known && { ...known, aheadSeconds: 0 })
  const [isAgreed, setAgreed] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ readonly of: 'address' | 'form'; readonly text: string }>()
  const isNewKey = card !== undefined && card.publicKey !== known?.publicKey
  const set = (change: Partial<typeof form>): void => {
    setForm({ ...form, ...change })
    setProblem(undefined)
    setDirty(true)
  }
  const work = async (of: 'address' | 'form', doing: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await doing()
    } catch (error) {
      setProblem({ of, text: textOf(error) })
    } finally {
      setBusy(false)
    }
  }
  const apiHost = form.apiHost.trim().replace(/\/+$/, '')
  const read = (): Promise<void> =>
    work('address', async () => {
      const found = await api.probeServer({ apiHost, caCertificate: form.caCertificate }, { quiet: true })
      setCard(found)
      setAgreed(false)
      set({
        ...(form.serverName === '' && { serverName: found.serverName }),
        ...(form.serverCode === '' && { serverCode: found.serverCode }),
      })
    })
  const save = (): Promise<void> =>
    work('form', async () => {
      if (card === undefined) return
      const { serverId } = await api.setLinkedServer(
        {
          ...form,
          ...{ apiHost, publicKey: card.publicKey },
          ...(server !== undefined && { serverId: server.serverId }),
        },
        { quiet: true },
      )
      if (server === undefined) toast({ kind: 'success', text: t('linkedServer.added', { name: form.serverName }) })
      setDirty(false)
      close(serverId)
    })
  const isWhole =
    card !== undefined &&
    form.serverName.trim() !== '' &&
    apiHost !== '' &&
    (!isNewKey || (isAgreed && form.checkedWith.trim() !== ''))
  return (
    <>
      <DialogBody>
        <div className="ls-form">
          <TextField
            label={t('linkedServer.address')}
            help={t('linkedServer.addressHelp')}
            problem={problem?.of === 'address' ? problem.text : undefined}
            value={form.apiHost}
            maxLength={500}
            after={
              <Button size="small" disabled={busy || !/^https?:\/\/[^/]/.test(apiHost)} onClick={() => void read()}>
                {t('linkedServer.step.read')}
              </Button>
            }
            onChange={({ target }) => set({ apiHost: target.value })}
          />
          {/^https:/i.test(apiHost) && (
            <details className="ls-authority" open={form.caCertificate !== ''}>
              <summary>{t('linkedServer.authority')}</summary>
              <label>
                <span className="k-help">{t('linkedServer.authorityHelp')}</span>
                <textarea
                  aria-label={t('linkedServer.authority')}
                  value={form.caCertificate}
                  rows={4}
                  maxLength={50_000}
                  spellCheck={false}
                  placeholder="-----BEGIN CERTIFICATE-----"
                  onChange={({ target }) => set({ caCertificate: target.value })}
                />
              </label>
            </details>
          )}
          {card === undefined ? (
            <p className="k-help">{t('linkedServer.read.first')}</p>
          ) : (
            <Compare
              {...{ card, ownKey, isNewKey, isAgreed, checkedWith: form.checkedWith }}
              isChanged={isNewKey && known !== undefined}
              onChecked={(checkedWith) => set({ checkedWith })}
              onAgreed={setAgreed}
            />
          )}
          <TextField
            label={t('linkedServer.name')}
            value={form.serverName}
            maxLength={100}
            onChange={({ target }) => set({ serverName: target.value })}
          />
          <div className="ls-two">
            <TextField
              label={t('linkedServer.code')}
              value={form.serverCode}
              maxLength={100}
              onChange={({ target }) => set({ serverCode: target.value })}
            />
            <TextField
              label={t('linkedServer.best')}
              help={t('linkedServer.bestHelp')}
              value={form.bestServer}
              maxLength={300}
              onChange={({ target }) => set({ bestServer: target.value })}
            />
          </div>
          <Checkbox
            label={t('linkedServer.admits')}
            checked={form.admits}
            onChange={({ target }) => set({ admits: target.checked })}
          />
          <Checkbox
            label={t('linkedServer.visits')}
            checked={form.visits}
            onChange={({ target }) => set({ visits: target.checked })}
          />
          <Checkbox
            label={t('linkedServer.sameNames')}
            checked={form.sameNames}
            onChange={({ target }) => set({ sameNames: target.checked })}
          />
          <p className="k-help">{t('linkedServer.sameNamesHelp')}</p>
        </div>
      </DialogBody>
      <DialogFooter>
        {problem?.of === 'form' && (
          <span className="k-problem" role="alert">
            {problem.text}
          </span>
        )}
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" disabled={busy || !isWhole} onClick={() => void save()}>
          {t(server === undefined ? 'linkedServer.do' : 'linkedServer.save')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface CompareProps {
  readonly card: Card
  readonly ownKey: string
  readonly isNewKey: boolean
  /** Another key was known before. */
  readonly isChanged: boolean
  readonly checkedWith: string
  readonly isAgreed: boolean
  readonly onChecked: (name: string) => void
  readonly onAgreed: (isAgreed: boolean) => void
}

/** The keys of both servers, which people compare. */
function Compare({
  card,
  ownKey,
  isNewKey,
  isChanged,
  checkedWith,
  isAgreed,
  onChecked,
  onAgreed,
}: CompareProps): ReactNode {
  const t = useT()
  return (
    <section className="ls-compare">
      <b>{t('linkedServer.theirs')}</b>
      <code className="ls-key">{card.fingerprint}</code>
      <b>{t('linkedServer.mine')}</b>
      <code className="ls-key">{ownKey}</code>
      {isChanged && <p className="k-problem">{t('linkedServer.changedKey')}</p>}
      {Math.abs(card.aheadSeconds) > mostSecondsApart && (
        <p className="k-problem">{t('linkedServer.clock', { seconds: card.aheadSeconds })}</p>
      )}
      {isNewKey && (
        <>
          <p className="k-help">{t('linkedServer.compare')}</p>
          <TextField
            label={t('linkedServer.with')}
            help={t('linkedServer.withHelp')}
            value={checkedWith}
            maxLength={200}
            onChange={({ target }) => onChecked(target.value)}
          />
          <Checkbox
            label={t('linkedServer.agree')}
            checked={isAgreed}
            onChange={({ target }) => onAgreed(target.checked)}
          />
        </>
      )}
    </section>
  )
}
