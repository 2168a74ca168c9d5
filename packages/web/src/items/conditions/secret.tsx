// The window cloudoc-secret ([R234]) sets the secret level of existing files, or of files that are about to be uploaded
// or created.

import type { ItemRecord } from '@cloudoc/contract'
import { extNameOf } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Warning16Regular } from '../../kit/icons.ts'
import { EllipsizedName } from '../item/ellipsized-name.tsx'
import { FileIcon } from '../item/file-icon.tsx'
import { keyOf } from '../item/item.ts'
import { LevelChoiceFields, LevelChoiceGrid } from './level-choice.tsx'
import { durationText, type SecretChoice, useLevels } from './levels.tsx'
import { setSecretLevels } from './operations.ts'
import './secret.css'

/** The maximum number of uploaded files with a level of their own. Larger uploads get one level for all. */
const mostRows = 100

export interface SecretProps {
  /** Existing files. */
  readonly items?: readonly ItemRecord[]
  /** The names of the uploaded files and the target folder. */
  readonly upload?: { readonly names: readonly string[]; readonly folderName: string }
  /** A new document is created. */
  readonly make?: true
  /** The initial choice. */
  readonly first?: SecretChoice
}

/** The levels of the uploaded or created files, one each. For existing files, one entry confirms the change. */
export interface SecretChosen {
  readonly choices: readonly SecretChoice[]
  readonly remember: boolean
  /** The kind of the created document. */
  readonly kind?: SecretKind
}

const kinds = ['docx', 'xlsx', 'pptx', 'txt', 'md'] as const
export type SecretKind = (typeof kinds)[number]

const open: SecretChoice = { secretLevel: 0, duration: 0, unit: 0 }

export function Secret(props: WindowProps<SecretProps, SecretChosen>): ReactNode {
  if (props.upload !== undefined) return <OfUpload {...props} upload={props.upload} />
  if (props.make !== undefined) return <OfNew {...props} />
  return <OfFiles {...props} items={props.items ?? []} />
}

function OfFiles({ items, close }: WindowProps<{ readonly items: readonly ItemRecord[] }, SecretChosen>): ReactNode {
  const t = useT()
  const levels = useLevels()
  const [first] = items
  const [value, setValue] = useState<SecretChoice>({ ...open, secretLevel: first?.secretLevel ?? 0 })
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    if (await setSecretLevels(items, value)) close({ choices: [value], remember: false })
    else setBusy(false)
  }
  const name = levels[value.secretLevel]?.name ?? String(value.secretLevel)
  return (
    <>
      <DialogBody>
        <LevelChoiceGrid value={value} onChange={setValue} />
        {items.length === 1 && first !== undefined && <Effect item={first} level={value.secretLevel} name={name} />}
      </DialogBody>
      <DialogFooter>
        {items.length === 1 && first !== undefined && <Now item={first} />}
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void save()}>
          {t('drive.secret.set', { name: isolated(name) })}
        </Button>
      </DialogFooter>
    </>
  )
}

const effectOf = (item: ItemRecord, secretLevel: number) => ({
  queryKey: ['drive', 'secret', keyOf(item), secretLevel],
  queryFn: () => api.of(item).getSecretEffect({ fileId: item.fId, secretLevel }, { quiet: true }),
})

/** Shows the current level and its expiry. */
function Now({ item }: { readonly item: ItemRecord }): ReactNode {
  const t = useT()
  const levels = useLevels()
  const { data } = useQuery(effectOf(item, item.secretLevel))
  const name = isolated(levels[item.secretLevel]?.name ?? String(item.secretLevel))
  const until = typeof data?.until === 'number' ? new Date(data.until).toLocaleDateString('sv') : undefined
  return (
    <span className="dr-secret-now">
      {until === undefined ? t('drive.secret.now', { name }) : t('drive.secret.nowUntil', { name, date: until })}
    </span>
  )
}

/** Shows the users who would lose access to the file because of the level. */
function Effect({ item, level, name }: { item: ItemRecord; level: number; name: string }): ReactNode {
  const t = useT()
  const { data } = useQuery({ ...effectOf(item, level), enabled: level > item.secretLevel })
  if (level <= item.secretLevel || data === undefined || data.count === 0) return null
  const show = (): Promise<unknown> =>
    messageBox({
      title: t('drive.secret.who'),
      icon: 'info',
      text: data.list.map(({ accountName }) => isolated(accountName)).join(t('drive.rights.and')),
      ...(data.count > data.list.length && { detail: t('drive.secret.andMore', { n: data.count - data.list.length }) }),
    })
  return (
    <p className="dr-secret-effect" role="status">
      <Warning16Regular />
      <span>
        {t(data.more ? 'drive.secret.losesMore' : 'drive.secret.loses', { n: data.count, name: isolated(name) })}
      </span>
      <Button kind="link" size="small" onClick={() => void show()}>
        {t('drive.secret.names')}
      </Button>
    </p>
  )
}

function OfNew({ first = open, close }: WindowProps<SecretProps, SecretChosen>): ReactNode {
  const t = useT()
  const own = useSession().account.secretLevel
  const [value, setValue] = useState<SecretChoice>(
    first.secretLevel > 0 ? first : { ...open, secretLevel: Math.min(1, own) },
  )
  const [kind, setKind] = useState<SecretKind>('docx')
  return (
    <>
      <DialogBody>
        <div className="dr-secret-row">
          <span className="dr-secret-label">{t('drive.secret.kind')}</span>
          <div className="dr-secret-levels" role="group" aria-label={t('drive.secret.kind')}>
            {kinds.map((one) => (
              <button key={one} type="button" aria-pressed={kind === one} onClick={() => setKind(one)}>
                {t(`drive.new.${one}`)}
              </button>
            ))}
          </div>
        </div>
        <LevelChoiceGrid value={value} onChange={setValue} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" onClick={() => close({ choices: [value], remember: false, kind })}>
          {t('drive.secret.make')}
        </Button>
      </DialogFooter>
    </>
  )
}

type OfUploadProps = WindowProps<SecretProps & Required<Pick<SecretProps, 'upload'>>, SecretChosen>

function OfUpload({ upload, first = open, close }: OfUploadProps): ReactNode {
  const t = useT()
  const { names, folderName } = upload
  const [all, setAll] = useState<SecretChoice>(first)
  const [own, setOwn] = useState<ReadonlyMap<number, SecretChoice>>(new Map())
  const [remember, setRemember] = useState(false)
  const choose = (index: number, value: SecretChoice): void => setOwn(new Map(own).set(index, value))
  const differs = (one: SecretChoice): boolean =>
    one.secretLevel !== all.secretLevel || durationText(t, one) !== durationText(t, all)
  return (
    <>
      <DialogBody>
        <div className="dr-secret-all">
          <span>{t('drive.secret.all')}</span>
          <LevelChoiceFields
            label={t('drive.secret.all')}
            value={all}
            onChange={(value) => {
              setAll(value)
              setOwn(new Map())
            }}
          />
          <small>{t('drive.secret.to', { folder: isolated(folderName) })}</small>
        </div>
        {names.length <= mostRows && (
          <ul className="dr-secret-files">
            {names.map((name, index) => {
              const value = own.get(index) ?? all
              return (
                <li key={`${index} ${name}`}>
                  <FileIcon ext={extNameOf(name)} />
                  <EllipsizedName name={name} isFolder={false} />
                  {differs(value) && <i className="dr-secret-differs" title={t('drive.secret.differs')} />}
                  <LevelChoiceFields label={name} value={value} onChange={(choice) => choose(index, choice)} />
                </li>
              )
            })}
          </ul>
        )}
      </DialogBody>
      <DialogFooter>
        <span className="dr-secret-now">
          <Checkbox
            label={t('drive.secret.remember')}
            checked={remember}
            onChange={({ target }) => setRemember(target.checked)}
          />
        </span>
        <Button onClick={() => close()}>{t('drive.secret.giveUp')}</Button>
        <Button
          kind="primary"
          onClick={() => close({ choices: names.map((_, index) => own.get(index) ?? all), remember })}
        >
          {t('drive.secret.upload', { n: names.length })}
        </Button>
      </DialogFooter>
    </>
  )
}
