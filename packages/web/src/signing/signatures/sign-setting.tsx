// cloudoc-sign-setting ([R273]): the signatures of the user - drawn, typed or from a picture - the seals that they may
// use, and their certificate.
import type { Signature, SignCertificate } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Add16Regular, Delete16Regular } from '../../kit/icons.ts'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { act, certificateQuery, sealsQuery, signaturesQuery } from '../shared/sign-queries.ts'
import { stateTones } from '../shared/state-chip.tsx'
import { Drawn, type Ink, Inks, Picture, source, Typed } from './make.tsx'
import './setting.css'

type Tab = 'drawn' | 'typed' | 'picture' | 'cert'
const tabs: readonly Tab[] = ['drawn', 'typed', 'picture', 'cert']

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
                {(tab === 'drawn' || tab === 'typed') && <Inks ink={ink} onChange={setInk} />}
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

function CertificateFacts(): ReactNode {
  const t = useT()
  const { data } = useQuery(certificateQuery)
  const certificate = data?.certificate
  const take = async (): Promise<void> => {
    const title = t('sign.import.remove')
    if (!(await confirmBox({ title, text: t('sign.import.removeSure'), ok: title, danger: true }))) return
    await act(() => api.deleteMySignCertificate({}, { quiet: true }), t('sign.import.removed'))
  }
  return (
    <>
      {certificate === null || certificate === undefined ? (
        <p className="sg-note">{t('sign.cert.none')}</p>
      ) : (
        <CertificateList certificate={certificate} />
      )}
      <p className="sg-cert-acts">
        <Button onClick={() => void openWindow('sign-import', { whose: 'mine' })}>{t('sign.import.mine')}</Button>
        {certificate?.kind === 'person' && (
          <Button kind="danger" onClick={() => void take()}>
            {t('sign.import.remove')}
          </Button>
        )}
      </p>
    </>
  )
}

function CertificateList({ certificate }: { readonly certificate: SignCertificate }): ReactNode {
  const t = useT()
  return (
    <dl className="sg-cert">
      <dt>{t('sign.cert.kind')}</dt>
      <dd>{t(`sign.cert.kind.${certificate.kind}`)}</dd>
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
      <dd>
        <StatusChip tone={stateTones[certificate.state]}>{t(`sign.cert.state.${certificate.state}`)}</StatusChip>
      </dd>
    </dl>
  )
}
