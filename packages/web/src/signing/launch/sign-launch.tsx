// cloudoc-sign-launch ([R274], [R276]): who signs, where, and where the signed file is archived.
import { signLimits } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import {
  ArrowDown16Regular,
  ArrowUp16Regular,
  Dismiss16Regular,
  Mail16Regular,
  Person16Regular,
  Tag16Regular,
} from '../../kit/icons.ts'
import { MomentField } from '../../kit/moment-field.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import type { PickedPerson } from '../../people/index.ts'
import { PersonAvatar } from '../../people/index.ts'
import { previewAddress } from '../../viewing/rendition/preview-addresses.ts'
import { usePdf } from '../pages/pdf-page.tsx'
import type { ExternalPerson } from '../shared/external-window.tsx'
import { refetchSigning } from '../shared/sign-queries.ts'
import { FieldEditor, type Place } from './field-editor.tsx'
import { WatermarkField } from './watermark-field.tsx'
import './launch.css'

export interface SignLaunchProps {
  readonly file: {
    readonly fId: number
    readonly fName: string
    readonly extName: string
    readonly secretLevel?: number
  }
}

type Props = WindowProps<SignLaunchProps, { readonly activityId: number }>

const stem = (name: string, ext: string): string => (ext === '' ? name : name.slice(0, -ext.length - 1))

/** A signer: a colleague, or a role or somebody without an account, which have a negative number instead of an id. */
export interface LaunchSigner extends PickedPerson {
  readonly roleId?: number
  readonly outside?: ExternalPerson
}

interface Form {
  readonly title: string
  readonly comment: string
  readonly order: boolean
  readonly signers: readonly LaunchSigner[]
  readonly folder: { readonly fId: number; readonly fName: string } | undefined
  readonly deadline: number | undefined
  readonly handOn: boolean
  /** 0: none. */
  readonly watermark: number
}

export function SignLaunch({ file, close, setDirty }: Props): ReactNode {
  const t = useT()
  const [step, setStep] = useState<1 | 2>(1)
  const [isChecked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [places, setPlaces] = useState<readonly Place[]>([])
  const [form, setForm] = useState<Form>({
    ...{ title: stem(file.fName, file.extName), comment: '', order: true, signers: [] },
    ...{ folder: undefined, deadline: undefined, handOn: true, watermark: 0 },
  })
  const change = (more: Partial<Form>): void => {
    setDirty(true)
    setForm({ ...form, ...more })
  }
  const isReady = form.title.trim() !== '' && form.signers.length > 0 && form.folder !== undefined
  const launch = async (): Promise<void> => {
    setBusy(true)
    try {
      const { activityId } = await api.of(mainServer).launchSign(
        {
          ...{ fileId: file.fId, title: form.title.trim(), comment: form.comment, order: form.order },
          ...{ archiveFolderId: form.folder?.fId ?? 0, deadline: form.deadline ?? null, handOn: form.handOn },
          watermarkTemplateId: form.watermark === 0 ? null : form.watermark,
          singerList: form.signers.map(({ userId, roleId, outside }) => ({
            ...(outside !== undefined ? { outside } : roleId !== undefined ? { roleId } : { userId }),
            places: places
              .filter((one) => one.userId === userId)
              .map(({ kind, page, x, y, width, height, spread }) => ({ kind, page, x, y, width, height, spread })),
          })),
        },
        { quiet: true },
      )
      setDirty(false)
      toast({ kind: 'success', text: t('sign.launch.done') })
      close({ activityId })
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('sign.failed') })
      setBusy(false)
    } finally {
      refetchSigning()
    }
  }
  const next = (): void => {
    setChecked(true)
    if (!isReady) return
    setPlaces(places.filter(({ userId }) => form.signers.some((one) => one.userId === userId)))
    setStep(2)
  }
  return (
    <div
      className="sg-launch"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !event.ctrlKey || busy) return
        if (step === 1) next()
        else void launch()
      }}
    >
      <ol className="sg-steps">
        <li aria-current={step === 1 ? 'step' : undefined}>{t('sign.step.who')}</li>
        <li aria-current={step === 2 ? 'step' : undefined}>{t('sign.step.where')}</li>
      </ol>
      {step === 1 ? (
        <Who file={file} form={form} isChecked={isChecked} onChange={change} />
      ) : (
        <Where file={file} signers={form.signers} places={places} onChange={setPlaces} />
      )}
      <DialogFooter>
        <span className="sg-placed">
          {step === 2 && (
            <small>{places.length > 0 ? t('sign.place.count', { n: places.length }) : t('sign.place.none')}</small>
          )}
        </span>
        {step === 1 ? (
          <Button onClick={() => close()}>{t('sign.cancel')}</Button>
        ) : (
          <Button onClick={() => setStep(1)}>{t('sign.back')}</Button>
        )}
        {step === 1 ? (
          <Button kind="primary" onClick={next}>
            {t('sign.next')}
          </Button>
        ) : (
          <Button kind="primary" disabled={busy} onClick={() => void launch()}>
            {t('sign.launch.do')}
          </Button>
        )}
      </DialogFooter>
    </div>
  )
}

interface WhoProps extends SignLaunchProps {
  readonly form: Form
  readonly isChecked: boolean
  readonly onChange: (more: Partial<Form>) => void
}

function Who({ file, form, isChecked, onChange }: WhoProps): ReactNode {
  const t = useT()
  const { sign_outside: isOpen } = useSession().setting
  const mayAskOutside = isOpen && (file.secretLevel ?? 0) === 0
  const pick = async (): Promise<void> => {
    const picked = await openWindow('people-pick', {
      ...{ title: t('sign.add.title'), ok: t('sign.add'), secretLevel: file.secretLevel ?? 0 },
      picked: form.signers.filter(({ userId }) => userId > 0),
    })
    if (picked === undefined) return
    // Who was there before keeps their place in the order.
    const kept = form.signers.filter((one) => one.userId < 0 || picked.some(({ userId }) => userId === one.userId))
    const added = picked.filter(({ userId }) => !kept.some((one) => one.userId === userId))
    onChange({ signers: [...kept, ...added].slice(0, signLimits.signers) })
  }
  const addOutside = async (): Promise<void> => {
    const taken = form.signers.flatMap(({ outside }) => outside?.mail ?? [])
    const outside = await openWindow('sign-outside', { taken })
    if (outside === undefined) return
    const userId = Math.min(0, ...form.signers.map((one) => one.userId)) - 1
    const one = { userId, accountName: outside.name, outside }
    onChange({ signers: [...form.signers, one].slice(0, signLimits.signers) })
  }
  const addRoles = async (): Promise<void> => {
    const picked = await openWindow('sign-roles', {})
    if (picked === undefined) return
    const free = picked.filter(({ roleId }) => !form.signers.some((one) => one.roleId === roleId))
    const least = Math.min(0, ...form.signers.map((one) => one.userId))
    const added = free.map(({ roleId, name }, n) => ({ userId: least - 1 - n, accountName: name, roleId }))
    onChange({ signers: [...form.signers, ...added].slice(0, signLimits.signers) })
  }
  const pickFolder = async (): Promise<void> => {
    const folder = await openWindow('drive-folder-pick', {
      ...{ title: t('sign.field.folder'), hint: t('sign.field.folder.hint'), verb: 'copy' },
    })
    if (folder !== undefined) onChange({ folder: { fId: folder.fId, fName: folder.fName } })
  }
  return (
    <div className="sg-form">
      <div className="sg-file">
        <FileIcon ext={file.extName} size={22} />
        <span title={file.fName}>{file.fName}</span>
      </div>
      <TextField
        label={t('sign.field.title')}
        value={form.title}
        maxLength={signLimits.title}
        required
        problem={isChecked && form.title.trim() === '' ? t('sign.field.title.needed') : undefined}
        onChange={({ target }) => onChange({ title: target.value })}
      />
      <div className="sg-field">
        <b className="is-required">{t('sign.field.who')}</b>
        <div className="sg-row">
          <div className="sg-order" role="radiogroup" aria-label={t('sign.order')}>
            {([true, false] as const).map((order) => (
              <button
                key={String(order)}
                type="button"
                role="radio"
                aria-checked={form.order === order}
                onClick={() => onChange({ order })}
              >
                {t(order ? 'sign.order.yes' : 'sign.order.no')}
              </button>
            ))}
          </div>
          <Button size="small" icon={<Person16Regular />} onClick={() => void pick()}>
            {t('sign.add')}
          </Button>
          <Button size="small" icon={<Tag16Regular />} onClick={() => void addRoles()}>
            {t('sign.role.add')}
          </Button>
          {mayAskOutside && (
            <Button size="small" icon={<Mail16Regular />} onClick={() => void addOutside()}>
              {t('sign.outside.add')}
            </Button>
          )}
        </div>
        {form.signers.length > 0 && <Signers form={form} onChange={(signers) => onChange({ signers })} />}
        {isChecked && form.signers.length === 0 ? (
          <small className="sg-problem" role="alert">
            {t('sign.field.who.needed')}
          </small>
        ) : (
          <small>{t('sign.level.note')}</small>
        )}
      </div>
      <div className="sg-field">
        <b className="is-required">{t('sign.field.folder')}</b>
        <div className="sg-row">
          <span className="sg-folder">{form.folder?.fName ?? ''}</span>
          <Button onClick={() => void pickFolder()}>{t('sign.field.folder.pick')}</Button>
        </div>
        {isChecked && form.folder === undefined && (
          <small className="sg-problem" role="alert">
            {t('sign.field.folder.needed')}
          </small>
        )}
      </div>
      <div className="sg-field">
        <b>{t('sign.field.deadline')}</b>
        <MomentField
          label={t('sign.field.deadline')}
          value={form.deadline}
          onChange={(deadline) => onChange({ deadline })}
        />
      </div>
      <Checkbox
        label={t('sign.handOn.allow')}
        checked={form.handOn}
        onChange={({ target }) => onChange({ handOn: target.checked })}
      />
      <WatermarkField templateId={form.watermark} onChange={(watermark) => onChange({ watermark })} />
      <label className="sg-field">
        <b>{t('sign.field.comment')}</b>
        <textarea
          rows={3}
          maxLength={signLimits.remark}
          value={form.comment}
          onChange={({ target }) => onChange({ comment: target.value })}
        />
        <small>
          {form.comment.length} / {signLimits.remark}
        </small>
      </label>
    </div>
  )
}

interface SignersProps {
  readonly form: Form
  readonly onChange: (signers: Form['signers']) => void
}

/** The signers in their order. */
function Signers({ form, onChange }: SignersProps): ReactNode {
  const t = useT()
  const move = (from: number, by: number): void => {
    const list = [...form.signers]
    const [one] = list.splice(from, 1)
    if (one !== undefined) list.splice(from + by, 0, one)
    onChange(list)
  }
  return (
    <ol className="sg-signers">
      {form.signers.map(({ userId, accountName, roleId, outside }, n) => (
        <li key={userId}>
          {form.order && <em>{n + 1}</em>}
          {outside !== undefined ? (
            <Mail16Regular />
          ) : roleId !== undefined ? (
            <Tag16Regular />
          ) : (
            <PersonAvatar id={userId} name={accountName} />
          )}
          <span title={outside === undefined ? accountName : `${accountName} ${outside.mail}`}>
            {accountName} {outside !== undefined && <small>{outside.mail}</small>}
            {roleId !== undefined && <small>{t('sign.role.any')}</small>}
          </span>
          {form.order && (
            <>
              <IconButton
                size="small"
                label={t('sign.up', { name: isolated(accountName) })}
                icon={<ArrowUp16Regular />}
                disabled={n === 0}
                onClick={() => move(n, -1)}
              />
              <IconButton
                size="small"
                label={t('sign.down', { name: isolated(accountName) })}
                icon={<ArrowDown16Regular />}
                disabled={n === form.signers.length - 1}
                onClick={() => move(n, 1)}
              />
            </>
          )}
          <IconButton
            size="small"
            label={t('sign.remove', { name: isolated(accountName) })}
            icon={<Dismiss16Regular />}
            onClick={() => onChange(form.signers.filter((one) => one.userId !== userId))}
          />
        </li>
      ))}
    </ol>
  )
}

interface WhereProps extends SignLaunchProps {
  readonly signers: readonly PickedPerson[]
  readonly places: readonly Place[]
  readonly onChange: (places: readonly Place[]) => void
}

function Where({ file, signers, places, onChange }: WhereProps): ReactNode {
  const t = useT()
  const isPdf = file.extName.toLowerCase() === 'pdf'
  const [failure, setFailure] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['signing', 'address', file.fId],
    queryFn: () => previewAddress({ ...mainServer, fId: file.fId }),
    enabled: isPdf,
  })
  const pdf = usePdf(data, () => setFailure(true))
  if (!isPdf) return <StatePage title={t('sign.place.word')} />
  if (error !== null || failure) return <StatePage title={t('sign.notLoaded')} text={error?.message ?? ''} />
  if (pdf === undefined) return <Spinner label={t('sign.loading')} />
  return <FieldEditor pdf={pdf} signers={signers} places={places} onChange={onChange} />
}
