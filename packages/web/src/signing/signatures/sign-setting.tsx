// cloudoc-sign-setting ([R273]): the signatures of the user - drawn, typed or from a picture - the seals that they may
// use, and their certificate.
import type { Signature } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { Add16Regular, ArrowUndo16Regular, Delete16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import SignaturePad from 'signature_pad'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { act, certificateQuery, sealsQuery, signaturesQuery } from '../shared/sign-queries.ts'
import { inkOf, pngOf, typedFace, writtenName } from './ink.ts'
import './setting.css'

type Tab = 'drawn' | 'typed' | 'picture' | 'cert'
const tabs: readonly Tab[] = ['drawn', 'typed', 'picture', 'cert']
const inks = { black: '#1b1f27', blue: '#1e3a8a' } as const
type Ink = keyof typeof inks
const widths = { thin: [0.8, 1.8], medium: [1.4, 3.2], thick: [2.4, 5] } as const
type Width = keyof typeof widths

const source = (base64: string): string => `data:image/png;base64,${base64}`

export function SignSetting({ close, setDirty }: WindowProps<object>): ReactNode {
  const t = useT()
  const id = useId()
  const me = useSession().account
  const { data } = useQuery(signaturesQuery)
  const { data: seals } = useQuery(sealsQuery)
  const [tab, setTab] = useState<Tab>('drawn')
  const [chosenId, setChosenId] = useState(0)
  const [ink, setInk] = useState<Ink>('black')
  const [isDefault, setDefault] = useState(true)
  const [made, setMade] = useState<() => Promise<string | undefined>>()
  const [busy, setBusy] = useState(false)
  const list = data?.list ?? []
  const chosen = list.find(({ signatureId }) => signatureId === chosenId)
  const take = (make: (() => Promise<string | undefined>) | undefined): void => {
    setMade(() => make)
    setDirty(make !== undefined)
  }
  const choose = (next: number): void => {
    setChosenId(next)
    take(undefined)
    const one = list.find(({ signatureId }) => signatureId === next)
    setDefault(one?.isDefault ?? list.length === 0)
  }
  const save = async (): Promise<void> => {
    setBusy(true)
    if (chosen !== undefined) {
      await act(
        () => api.updateSignature({ signatureId: chosen.signatureId, isDefault }, { quiet: true }),
        t('sign.setting.saved'),
      )
    } else if (made !== undefined && tab !== 'cert') {
      const picture = await made().catch(() => undefined)
      if (picture === undefined) toast({ kind: 'error', text: t('sign.setting.badPicture') })
      else {
        const name = t('sign.setting.nameOf', { name: me.accountName, kind: t(`sign.setting.${tab}`) })
        const input = { kind: tab, name: name.slice(0, 60), picture, isDefault }
        if (await act(() => api.createSignature(input, { quiet: true }), t('sign.setting.saved'))) take(undefined)
      }
    }
    setBusy(false)
  }
  const remove = async (one: Signature): Promise<void> => {
    const title = t('sign.setting.delete')
    if (!(await confirmBox({ title, text: t('sign.setting.deleteSure'), ok: title, danger: true }))) return
    if (await act(() => api.deleteSignature({ signatureId: one.signatureId }, { quiet: true }), '')) choose(0)
  }
  const maySave = chosen !== undefined ? isDefault && !chosen.isDefault : made !== undefined && tab !== 'cert'
  return (
    <div className="sg-setting">
      <div className="sg-split">
        <nav className="sg-mine" aria-label={t('sign.setting.mine')}>
          <h3>
            {t('sign.setting.mine')} <small>{list.length}</small>
          </h3>
          {list.length === 0 && <p className="sg-note">{t('sign.setting.none')}</p>}
          {list.map((one) => (
            <button
              key={one.signatureId}
              type="button"
              aria-current={one.signatureId === chosenId || undefined}
              onClick={() => choose(one.signatureId)}
            >
              <img alt="" src={source(one.picture)} />
              <span>
                <b title={one.name}>{one.name}</b>
                {one.isDefault && <small>{t('sign.setting.default')}</small>}
              </span>
            </button>
          ))}
          {(seals?.list.length ?? 0) > 0 && (
            <h3>
              {t('sign.setting.seals')} <small>{t('sign.setting.kept')}</small>
            </h3>
          )}
          {seals?.list.map((one) => (
            <div className="sg-seal" key={one.sealId}>
              <img alt="" src={source(one.picture)} />
              <b title={one.name}>{one.name}</b>
            </div>
          ))}
          <Button size="small" icon={<Add16Regular />} onClick={() => choose(0)}>
            {t('sign.setting.new')}
          </Button>
        </nav>
        <div className="sg-make">
          {chosen !== undefined ? (
            <>
              <img className="sg-large" alt={chosen.name} src={source(chosen.picture)} />
              <p className="sg-note">{t('sign.setting.note')}</p>
            </>
          ) : (
            <>
              <Tabs
                id={id}
                label={t('sign.setting.title')}
                tabs={tabs.map((one) => ({ tab: one, text: t(`sign.setting.${one}`) }))}
                chosen={tab}
                onChoose={(next) => {
                  setTab(next)
                  take(undefined)
                }}
              />
              <TabPanel id={id} chosen={tab} className="sg-tab">
                {tab === 'drawn' && <Drawn ink={ink} onMade={take} />}
                {tab === 'typed' && <Typed ink={ink} name={me.accountName} onMade={take} />}
                {tab === 'picture' && <Picture onMade={take} />}
                {tab === 'cert' && <CertificateFacts />}
                {(tab === 'drawn' || tab === 'typed') && (
                  <div className="sg-inks" role="radiogroup" aria-label={t('sign.setting.ink')}>
                    {(Object.keys(inks) as Ink[]).map((one) => (
                      <button
                        key={one}
                        type="button"
                        role="radio"
                        aria-checked={ink === one}
                        aria-label={t(`sign.setting.${one}`)}
                        style={{ background: inks[one] }}
                        onClick={() => setInk(one)}
                      />
                    ))}
                  </div>
                )}
                {tab !== 'cert' && <p className="sg-note">{t('sign.setting.note')}</p>}
              </TabPanel>
            </>
          )}
        </div>
      </div>
      <DialogFooter>
        <span className="sg-left">
          <Checkbox
            label={t('sign.setting.setDefault')}
            checked={isDefault}
            disabled={chosen?.isDefault === true}
            onChange={({ target }) => setDefault(target.checked)}
          />
        </span>
        {chosen !== undefined && (
          <Button kind="danger" icon={<Delete16Regular />} onClick={() => void remove(chosen)}>
            {t('sign.setting.delete')}
          </Button>
        )}
        <Button onClick={() => close()}>{t('sign.close')}</Button>
        <Button kind="primary" disabled={busy || !maySave} onClick={() => void save()}>
          {t('sign.setting.save')}
        </Button>
      </DialogFooter>
    </div>
  )
}

interface MakeProps {
  readonly onMade: (make: (() => Promise<string | undefined>) | undefined) => void
}

/** A pad to draw on by pen, finger or mouse. Turning a phone keeps the strokes. */
function Drawn({ ink, onMade }: MakeProps & { readonly ink: Ink }): ReactNode {
  const t = useT()
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(undefined)
  const [width, setWidth] = useState<Width>('medium')
  const tell = (isEmpty: boolean): void => {
    const element = canvas.current
    onMade(isEmpty || element === null ? undefined : () => Promise.resolve(pngOf(element)))
  }
  const told = useEffectEvent(tell)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    const made = new SignaturePad(element)
    pad.current = made
    const fit = (): void => {
      const dense = Math.max(1, window.devicePixelRatio)
      const strokes = made.toData()
      element.width = element.offsetWidth * dense
      element.height = element.offsetHeight * dense
      element.getContext('2d')?.scale(dense, dense)
      made.fromData(strokes)
    }
    fit()
    const end = (): void => told(made.isEmpty())
    made.addEventListener('endStroke', end)
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.off()
    }
  }, [])
  useEffect(() => {
    const made = pad.current
    if (made === undefined) return
    made.penColor = inks[ink]
    const [least, most] = widths[width]
    made.minWidth = least
    made.maxWidth = most
  }, [ink, width])
  const undo = (): void => {
    const made = pad.current
    if (made === undefined) return
    made.fromData(made.toData().slice(0, -1))
    tell(made.toData().length === 0)
  }
  return (
    <>
      <canvas
        ref={canvas}
        className="sg-pad"
        tabIndex={0}
        aria-label={t('sign.setting.pad')}
        onKeyDown={(event) => {
          if (event.key === 'z' && (event.ctrlKey || event.metaKey)) undo()
        }}
      />
      <div className="sg-pad-tools">
        <Select
          label={t('sign.setting.width')}
          size="small"
          value={width}
          options={(Object.keys(widths) as Width[]).map((one) => ({ value: one, label: t(`sign.setting.${one}`) }))}
          onChange={setWidth}
        />
        <Button
          size="small"
          icon={<Delete16Regular />}
          onClick={() => {
            pad.current?.clear()
            tell(true)
          }}
        >
          {t('sign.setting.clear')}
        </Button>
        <Button size="small" icon={<ArrowUndo16Regular />} onClick={undo}>
          {t('sign.setting.undo')}
        </Button>
      </div>
    </>
  )
}

/** A name in a real Chinese face (X72). */
function Typed({ ink, name, onMade }: MakeProps & { readonly ink: Ink; readonly name: string }): ReactNode {
  const t = useT()
  const [typed, setTyped] = useState(name)
  const told = useEffectEvent(() => {
    const words = typed.trim()
    onMade(words === '' ? undefined : async () => pngOf(await writtenName(words, inks[ink])))
  })
  useEffect(() => told(), [typed, ink])
  return (
    <>
      <TextField
        label={t('sign.setting.typedName')}
        value={typed}
        maxLength={20}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div
        className="sg-typed"
        style={{ color: inks[ink], fontFamily: `"${typedFace}", sans-serif` }}
        aria-hidden="true"
      >
        {typed}
      </div>
    </>
  )
}

/** A photo or scan whose paper is removed. */
function Picture({ onMade }: MakeProps): ReactNode {
  const t = useT()
  const [shown, setShown] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File): Promise<void> => {
    try {
      const picture = pngOf(await inkOf(file))
      if (picture === undefined) throw new Error('empty')
      setShown(picture)
      onMade(() => Promise.resolve(picture))
    } catch {
      setShown('')
      onMade(undefined)
      toast({ kind: 'error', text: t('sign.setting.badPicture') })
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) void read(file)
          target.value = ''
        }}
      />
      {shown !== '' && <img className="sg-large" alt="" src={source(shown)} />}
      <Button onClick={() => input.current?.click()}>{t('sign.setting.choose')}</Button>
      <p className="sg-note">{t('sign.setting.chooseNote')}</p>
    </>
  )
}

function CertificateFacts(): ReactNode {
  const t = useT()
  const { data } = useQuery(certificateQuery)
  const certificate = data?.certificate
  if (certificate === null || certificate === undefined) return <p className="sg-note">{t('sign.cert.none')}</p>
  return (
    <dl className="sg-cert">
      <dt>{t('sign.cert.subject')}</dt>
      <dd>{isolated(certificate.subject)}</dd>
      <dt>{t('sign.cert.issuer')}</dt>
      <dd>{isolated(certificate.issuer)}</dd>
      <dt>{t('sign.cert.algorithm')}</dt>
      <dd>{certificate.algorithm}</dd>
      <dt>{t('sign.cert.serial')}</dt>
      <dd>{certificate.serialNumber}</dd>
      <dt>{t('sign.cert.until')}</dt>
      <dd>{fullTime(certificate.notAfter)}</dd>
      <dt>{t('sign.cert.state')}</dt>
      <dd>{t(`sign.cert.state.${certificate.state}`)}</dd>
    </dl>
  )
}
