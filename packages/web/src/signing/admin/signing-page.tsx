// The administration of signing: the authority that issues certificates, the seals with who may use them, and the log of
// their uses.
import type { Seal, SignCertificate } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Table } from '../../kit/table.tsx'
import { act, allSealsQuery, authorityQuery, certificatesQuery, sealUsesQuery } from '../shared/sign-queries.ts'
import { stateTones } from '../shared/state-chip.tsx'
import { inkOf, pngOf } from '../signatures/ink.ts'
import './admin.css'

export function SigningPage(): ReactNode {
  const t = useT()
  return (
    <AdminBody title={t('sign.admin.title')}>
      <div className="sg-admin">
        <Authority />
        <Company />
        <TimeStamps />
        <Certificates />
        <Seals />
        <Uses />
      </div>
    </AdminBody>
  )
}

function Authority(): ReactNode {
  const t = useT()
  const { data } = useQuery(authorityQuery)
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const authority = data?.authority ?? null
  const create = async (): Promise<void> => {
    const title = t('sign.admin.authority.again')
    if (authority !== null && !(await confirmBox({ title, text: t('sign.admin.authority.sure'), ok: title }))) return
    setBusy(true)
    if (await act(() => api.createSignAuthority({ name: name.trim() }, { quiet: true }), t('sign.admin.created')))
      setName('')
    setBusy(false)
  }
  const download = (pem: string): void => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([pem], { type: 'application/x-pem-file' }))
    link.download = 'cloudoc-authority.pem'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <section aria-label={t('sign.admin.authority')}>
      <h2>{t('sign.admin.authority')}</h2>
      <p>{t('sign.admin.authority.note')}</p>
      {authority === null ? (
        data !== undefined && <p>{t('sign.admin.authority.none')}</p>
      ) : (
        <dl className="sg-facts">
          <dt>{t('sign.cert.subject')}</dt>
          <dd>
            {isolated(authority.subject)}{' '}
            <StatusChip tone={stateTones[authority.state]}>{t(`sign.cert.state.${authority.state}`)}</StatusChip>
          </dd>
          <dt>{t('sign.cert.algorithm')}</dt>
          <dd>{authority.algorithm}</dd>
          <dt>{t('sign.cert.serial')}</dt>
          <dd>{authority.serialNumber}</dd>
          <dt>{t('sign.cert.until')}</dt>
          <dd>{fullTime(authority.notAfter)}</dd>
        </dl>
      )}
      <div className="sg-admin-row">
        <TextField
          label={t('sign.admin.authority.name')}
          value={name}
          maxLength={60}
          onChange={({ target }) => setName(target.value)}
        />
        <Button
          {...(authority === null && { kind: 'primary' as const })}
          disabled={busy || name.trim() === ''}
          onClick={() => void create()}
        >
          {t(authority === null ? 'sign.admin.authority.create' : 'sign.admin.authority.again')}
        </Button>
        {authority !== null && (
          <Button onClick={() => download(authority.pem)}>{t('sign.admin.authority.download')}</Button>
        )}
        <Button onClick={() => void openWindow('sign-import', { whose: 'company' })}>{t('sign.import.company')}</Button>
      </div>
    </section>
  )
}

/** The imported certificate by which the seals of the company sign. */
function Company(): ReactNode {
  const t = useT()
  const { data } = useQuery(authorityQuery)
  const company = data?.company ?? null
  return (
    <section aria-label={t('sign.admin.company')}>
      <h2>{t('sign.admin.company')}</h2>
      <p>{t('sign.admin.company.note')}</p>
      {company === null ? (
        data !== undefined && <p>{t('sign.admin.company.none')}</p>
      ) : (
        <dl className="sg-facts">
          <dt>{t('sign.cert.subject')}</dt>
          <dd>
            {isolated(company.subject)}{' '}
            <StatusChip tone={stateTones[company.state]}>{t(`sign.cert.state.${company.state}`)}</StatusChip>
          </dd>
          <dt>{t('sign.cert.issuer')}</dt>
          <dd>{isolated(company.issuer)}</dd>
          <dt>{t('sign.cert.algorithm')}</dt>
          <dd>{company.algorithm}</dd>
          <dt>{t('sign.cert.until')}</dt>
          <dd>{fullTime(company.notAfter)}</dd>
        </dl>
      )}
    </section>
  )
}

/** The time stamp service: its address is a setting of the server; here it is tested. */
function TimeStamps(): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ readonly isGood: boolean; readonly text: string }>()
  const test = async (): Promise<void> => {
    setBusy(true)
    try {
      const { authority, time } = await api.testTimeStamp({}, { quiet: true })
      setOutcome({ isGood: true, text: t('sign.tsa.good', { name: isolated(authority), time: fullTime(time) }) })
    } catch (failure) {
      setOutcome({ isGood: false, text: failure instanceof CallError ? failure.message : t('sign.failed') })
    }
    setBusy(false)
  }
  return (
    <section aria-label={t('sign.tsa.title')}>
      <h2>{t('sign.tsa.title')}</h2>
      <p>{t('sign.tsa.note')}</p>
      <div className="sg-admin-row">
        <Button disabled={busy} onClick={() => void test()}>
          {t('sign.tsa.test')}
        </Button>
        <span role="status">
          {outcome !== undefined && (
            <StatusChip tone={outcome.isGood ? 'success' : 'danger'}>{outcome.text}</StatusChip>
          )}
        </span>
      </div>
    </section>
  )
}

/** The certificates of people, the latest first. */
function Certificates(): ReactNode {
  const t = useT()
  const { data } = useQuery(certificatesQuery)
  const revoke = async ({ certificateId, subject }: SignCertificate): Promise<void> => {
    const title = t('sign.admin.revoke')
    const text = t('sign.admin.revoke.sure', { name: isolated(subject) })
    if (!(await confirmBox({ title, text, ok: title, danger: true }))) return
    await act(() => api.revokeSignCertificate({ certificateId }, { quiet: true }), t('sign.admin.revoked'))
  }
  return (
    <section aria-label={t('sign.admin.certificates')}>
      <h2>{t('sign.admin.certificates')}</h2>
      <Table
        label={t('sign.admin.certificates')}
        rows={data?.list}
        keyOf={({ certificateId }) => certificateId}
        empty={<p>{t('sign.admin.certificates.none')}</p>}
        columns={[
          { id: 'subject', head: t('sign.cert.subject'), text: 'clip', renderCell: ({ subject }) => subject },
          { id: 'kind', head: t('sign.cert.kind'), renderCell: ({ kind }) => t(`sign.cert.kind.${kind}`) },
          {
            id: 'issuer',
            head: t('sign.cert.issuer'),
            text: 'clip',
            isHiddenOnPhone: true,
            renderCell: ({ issuer }) => issuer,
          },
          { id: 'until', head: t('sign.cert.until'), renderCell: ({ notAfter }) => fullTime(notAfter) },
          {
            id: 'state',
            head: t('sign.cert.state'),
            renderCell: ({ state }) => (
              <StatusChip tone={stateTones[state]}>{t(`sign.cert.state.${state}`)}</StatusChip>
            ),
          },
          {
            id: 'act',
            head: '',
            renderCell: (one) =>
              one.state !== 'revoked' && (
                <Button size="small" kind="danger" onClick={() => void revoke(one)}>
                  {t('sign.admin.revoke')}
                </Button>
              ),
          },
        ]}
      />
    </section>
  )
}

function Seals(): ReactNode {
  const t = useT()
  const { data } = useQuery(allSealsQuery)
  const [name, setName] = useState('')
  const [picture, setPicture] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File): Promise<void> => {
    const made = await inkOf(file).then(pngOf, () => undefined)
    if (made === undefined) toast({ kind: 'error', text: t('sign.setting.badPicture') })
    else setPicture(made)
  }
  const add = async (): Promise<void> => {
    if (!(await act(() => api.createSeal({ name: name.trim(), picture }, { quiet: true }), ''))) return
    setName('')
    setPicture('')
  }
  const list = data?.list ?? []
  return (
    <section aria-label={t('sign.admin.seals')}>
      <h2>{t('sign.admin.seals')}</h2>
      {data !== undefined && list.length === 0 && <p>{t('sign.admin.seals.none')}</p>}
      <ul className="sg-seals">
        {list.map((seal) => (
          <SealRow key={seal.sealId} seal={seal} />
        ))}
      </ul>
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
      <div className="sg-admin-row">
        <TextField
          label={t('sign.admin.seal.name')}
          value={name}
          maxLength={60}
          onChange={({ target }) => setName(target.value)}
        />
        {picture !== '' && <img alt="" src={`data:image/png;base64,${picture}`} />}
        <Button onClick={() => input.current?.click()}>{t('sign.admin.seal.picture')}</Button>
        <Button disabled={name.trim() === '' || picture === ''} onClick={() => void add()}>
          {t('sign.admin.seal.add')}
        </Button>
      </div>
    </section>
  )
}

function SealRow({ seal }: { readonly seal: Seal }): ReactNode {
  const t = useT()
  const { sealId, name, users, roleIdArray } = seal
  const names = users.map(({ accountName }) => isolated(accountName)).join(t('sign.comma'))
  const choose = async (): Promise<void> => {
    const title = t('sign.admin.seal.choose')
    const picked = await openWindow('people-pick', { title, ok: t('sign.add'), picked: users })
    if (picked === undefined) return
    const userIdArray = picked.map(({ userId }) => userId)
    await act(() => api.updateSeal({ sealId, name, userIdArray, roleIdArray }, { quiet: true }), '')
  }
  const remove = async (): Promise<void> => {
    const title = t('sign.admin.seal.remove')
    if (!(await confirmBox({ title, text: t('sign.admin.seal.removeSure'), ok: title, danger: true }))) return
    await act(() => api.deleteSeal({ sealId }, { quiet: true }), '')
  }
  return (
    <li>
      <img alt="" src={`data:image/png;base64,${seal.picture}`} />
      <span>
        <b>{name}</b>
        <small>{names === '' ? t('sign.admin.seal.nobody') : t('sign.admin.seal.users', { names })}</small>
      </span>
      <Button size="small" onClick={() => void choose()}>
        {t('sign.admin.seal.choose')}
      </Button>
      <Button size="small" kind="danger" onClick={() => void remove()}>
        {t('sign.admin.seal.remove')}
      </Button>
    </li>
  )
}

function Uses(): ReactNode {
  const t = useT()
  const { data } = useQuery(sealUsesQuery)
  return (
    <section aria-label={t('sign.admin.uses')}>
      <h2>{t('sign.admin.uses')}</h2>
      <Table
        label={t('sign.admin.uses')}
        rows={data?.list}
        keyOf={(_, index) => index}
        empty={<p>{t('sign.admin.uses.none')}</p>}
        columns={[
          { id: 'seal', head: t('sign.admin.seals'), renderCell: ({ sealName }) => sealName },
          { id: 'who', head: t('sign.admin.uses.who'), renderCell: ({ userName }) => userName },
          {
            id: 'what',
            head: t('sign.admin.uses.what'),
            text: 'clip',
            renderCell: ({ activityTitle }) => activityTitle,
          },
          { id: 'when', head: t('sign.admin.uses.when'), renderCell: ({ createTime }) => fullTime(createTime) },
          {
            id: 'address',
            head: t('sign.admin.uses.address'),
            isHiddenOnPhone: true,
            renderCell: ({ address }) => address,
          },
          {
            id: 'done',
            head: t('sign.admin.uses.done'),
            renderCell: ({ isDone }) => t(isDone ? 'sign.admin.uses.isDone' : 'sign.admin.uses.notDone'),
          },
        ]}
      />
    </section>
  )
}
