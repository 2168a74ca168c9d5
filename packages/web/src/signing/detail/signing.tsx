// The file of a signing process: exactly the bytes that are signed, with the places of the user, and the act of signing.
import type { SignDetail } from '@cloudoc/contract'
import { signLimits } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { api, requestOf } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { ArrowLeft16Regular, Signature16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { PdfPage, usePdf } from '../pages/pdf-page.tsx'
import { act, sealsQuery, signaturesQuery } from '../shared/sign-queries.ts'
import { ProviderConfirmation } from './provider-confirmation.tsx'
import './detail.css'

interface SigningProps extends Pick<WindowProps<object, boolean>, 'close' | 'setDirty'> {
  readonly detail: SignDetail
  readonly onBack: () => void
}

/** The bytes of a revision: what is shown is what is signed. */
async function revisionBytes(activityId: number, revision: number): Promise<ArrayBuffer> {
  const { url, init } = requestOf('getSignFile', { activityId, revision })
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(String(response.status))
  return response.arrayBuffer()
}

/** While the page is open nobody else signs at the same moment. */
function useLock({ activityId, may }: SignDetail): void {
  const maySign = may.sign
  useEffect(() => {
    if (!maySign) return undefined
    const keep = (): void => void api.lockSign({ activityId }, { quiet: true }).catch(() => undefined)
    keep()
    const timer = window.setInterval(keep, signLimits.lockMs / 2)
    return () => {
      window.clearInterval(timer)
      void api.unlockSign({ activityId }, { quiet: true }).catch(() => undefined)
    }
  }, [activityId, maySign])
}

export function Signing({ detail, onBack, close, setDirty }: SigningProps): ReactNode {
  const t = useT()
  const [page, setPage] = useState(detail.fields[0]?.page ?? 1)
  const [isActing, setActing] = useState(false)
  const [failure, setFailure] = useState(false)
  const { activityId, revision } = detail
  useLock(detail)
  const source = { key: `${activityId} ${revision}`, load: () => revisionBytes(activityId, revision) }
  const pdf = usePdf(source, () => setFailure(true))
  const jump = (): void => {
    const pages = [...new Set(detail.fields.map((one) => one.page))].sort((a, b) => a - b)
    setPage(pages.find((one) => one > page) ?? pages[0] ?? page)
  }
  if (isActing) return <Act detail={detail} onBack={() => setActing(false)} close={close} setDirty={setDirty} />
  return (
    <>
      {failure ? (
        <StatePage title={t('sign.notLoaded')} />
      ) : pdf === undefined ? (
        <Spinner label={t('sign.loading')} />
      ) : (
        <PdfPage pdf={pdf} number={page} onPage={setPage}>
          {(scale) =>
            detail.fields
              .filter((one) => one.page === page)
              .map((one) => (
                <div
                  key={one.fieldId}
                  className="sg-place"
                  data-fixed="true"
                  style={{ ...scale.toBox(one), ['--sg-colour' as string]: '#1d4ed8' }}
                >
                  <span>{t(`sign.kind.${one.kind}`)}</span>
                </div>
              ))
          }
        </PdfPage>
      )}
      <DialogFooter>
        <span className="sg-left">
          {detail.fields.length > 0 && (
            <Button kind="ghost" onClick={jump}>
              {t('sign.signing.jump')}
            </Button>
          )}
        </span>
        <Button icon={<ArrowLeft16Regular />} onClick={onBack}>
          {t('sign.back')}
        </Button>
        {detail.may.sign && (
          <Button
            kind="primary"
            icon={<Signature16Regular />}
            disabled={pdf === undefined}
            onClick={() => setActing(true)}
          >
            {t('sign.act.sign')}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}

function Act({ detail, onBack, close, setDirty }: SigningProps): ReactNode {
  const t = useT()
  const { data: signatures } = useQuery(signaturesQuery)
  const needsSeal = detail.fields.some(({ kind }) => kind === 'seal')
  const { data: seals } = useQuery({ ...sealsQuery, enabled: needsSeal })
  const [chosen, setChosen] = useState<number>()
  const [sealChosen, setSealChosen] = useState<number>()
  const [texts, setTexts] = useState<Readonly<Record<number, string>>>({})
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isConfirmed, setConfirmed] = useState(false)
  const confirmed = useCallback(() => setConfirmed(true), [])
  const [busy, setBusy] = useState(false)
  const list = signatures?.list ?? []
  const signatureId = chosen ?? list.find(({ isDefault }) => isDefault)?.signatureId ?? 0
  const sealId = sealChosen ?? seals?.list[0]?.sealId ?? 0
  const written = detail.fields.filter(({ kind }) => kind === 'text')
  const picture = list.find((one) => one.signatureId === signatureId)?.picture
  const seal = seals?.list.find((one) => one.sealId === sealId)?.picture
  const isReady =
    (password !== '' || code !== '' || isConfirmed) &&
    written.every(({ fieldId }) => (texts[fieldId] ?? '').trim() !== '') &&
    (!needsSeal || sealId > 0)
  const sign = async (): Promise<void> => {
    setBusy(true)
    const done = await act(
      () =>
        api.sign(
          {
            ...{ activityId: detail.activityId, revision: detail.revision },
            ...(signatureId > 0 && { signatureId }),
            ...(needsSeal && { sealId }),
            texts: written.map(({ fieldId }) => ({ fieldId, text: texts[fieldId] ?? '' })),
            ...(code !== '' ? { factorCode: code } : password !== '' && { password }),
          },
          { quiet: true },
        ),
      t('sign.done.signed'),
    )
    setBusy(false)
    // A confirmation is good once.
    setConfirmed(false)
    if (!done) return
    setDirty(false)
    close(true)
  }
  return (
    <form
      className="sg-act"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !busy) void sign()
      }}
    >
      <div className="sg-act-body">
        <div className="sg-field">
          <Select
            label={t('sign.signing.picture')}
            showLabel
            value={signatureId}
            options={[
              ...list.map((one) => ({ value: one.signatureId, label: one.name })),
              { value: 0, label: t('sign.signing.name') },
            ]}
            onChange={setChosen}
          />
          {picture !== undefined && <img className="sg-ink" alt="" src={`data:image/png;base64,${picture}`} />}
          <Button kind="link" onClick={() => void openWindow('cloudoc-sign-setting', {})}>
            {t('sign.signing.new')}
          </Button>
        </div>
        {needsSeal &&
          (seals?.list.length === 0 ? (
            <p className="sg-problem">{t('sign.signing.noSeal')}</p>
          ) : (
            <div className="sg-field">
              <Select
                label={t('sign.signing.seal')}
                showLabel
                value={sealId}
                options={(seals?.list ?? []).map((one) => ({ value: one.sealId, label: one.name }))}
                onChange={setSealChosen}
              />
              {seal !== undefined && <img className="sg-ink" alt="" src={`data:image/png;base64,${seal}`} />}
            </div>
          ))}
        {written.map(({ fieldId, page }) => (
          <TextField
            key={fieldId}
            label={t('sign.signing.text', { page })}
            maxLength={signLimits.text}
            value={texts[fieldId] ?? ''}
            onChange={({ target }) => {
              setTexts({ ...texts, [fieldId]: target.value })
              setDirty(true)
            }}
          />
        ))}
        <TextField
          label={t('sign.signing.password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <TextField
          label={t('sign.signing.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
        <ProviderConfirmation isConfirmed={isConfirmed} onConfirmed={confirmed} />
        <p className="sg-muted">{t('sign.signing.note')}</p>
      </div>
      <DialogFooter>
        <Button icon={<ArrowLeft16Regular />} onClick={onBack}>
          {t('sign.back')}
        </Button>
        <Button kind="primary" type="submit" icon={<Signature16Regular />} disabled={busy || !isReady}>
          {t('sign.signing.do')}
        </Button>
      </DialogFooter>
    </form>
  )
}
