// One watermark template, with a preview ([R279], [R280]).
import type { WatermarkTemplate } from '@cloudoc/contract'
import {
  defaultWatermark,
  maxWatermarkLength,
  type WatermarkPlaceholder,
  watermarkLayouts,
  watermarkPlaceholders,
} from '@cloudoc/domain'
import { type ReactNode, useId, useRef, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { FilterChips } from '../../kit/chips.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { WatermarkOverlay } from '../watermark/watermark.tsx'
import { type Draft, newDraft, sampleOf } from './watermark-queries.ts'
import './texts.ts'
import '../../admin/shared/company.css'
import './watermarks.css'

export interface TemplateProps {
  /** The template to change. Without it, a new one is created. */
  readonly template?: WatermarkTemplate
  /** One of the person's own, for their links, instead of one of the company. */
  readonly isOwn?: boolean
}

/** The template that was saved; 0 if it was deleted. */
export interface TemplateResult {
  readonly templateId: number
}

const grounds = ['light', 'dark'] as const
const sizes = [10, 12, 13, 14, 16, 18, 20, 24, 28, 32, 36, 48]
/** Maximum size of an uploaded picture, in bytes. */
const largestPicture = 200 * 1024
const bounds = {
  rotate: [-90, 90, 1],
  padding: [0, 200, 1],
  opacity: [0.05, 1, 0.05],
  lineGap: [0, 20, 1],
} as const

export function TemplateWindow(props: WindowProps<TemplateProps, TemplateResult>): ReactNode {
  const { template, isOwn = false, close, setDirty } = props
  const t = useT()
  const [draft, setDraft] = useState<Draft>(template ?? newDraft)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<Draft>): void => {
    setDraft({ ...draft, ...change })
    setProblem(undefined)
    setDirty(true)
  }
  const isEmpty = draft.templateName.trim() === '' || (draft.text.trim() === '' && draft.image === '')
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const {
        templateName,
        text,
        image,
        rotate,
        padding,
        opacity,
        lineGap,
        size,
        color,
        layout,
        onPreview,
        onDownload,
      } = draft
      const { templateId } = await (isOwn ? api.saveOwnWatermark : api.saveWatermarkTemplate)(
        {
          ...(template === undefined ? {} : { templateId: template.templateId }),
          ...{
            templateName,
            text,
            image,
            rotate,
            padding,
            opacity,
            lineGap,
            size,
            color,
            layout,
            onPreview,
            onDownload,
          },
        },
        { quiet: true },
      )
      setDirty(false)
      close({ templateId })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.code === 'alreadyExists' ? t('company.mark.taken') : error.message)
    } finally {
      setBusy(false)
    }
  }
  const remove = async (templateId: number): Promise<void> => {
    const isSure = await confirmBox({
      title: t('company.mark.delete'),
      text: t('company.mark.deleteOwnSure', { name: draft.templateName }),
      ok: t('company.mark.delete'),
      danger: true,
    })
    if (!isSure) return
    try {
      await api.deleteOwnWatermark({ templateId }, { quiet: true })
      setDirty(false)
      close({ templateId: 0 })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  return (
    <>
      <div className="co-mark-window">
        <TemplateForm draft={draft} set={set} onWrong={setProblem} />
        <TemplatePreview draft={draft} />
      </div>
      <DialogFooter>
        {problem !== undefined && (
          <span className="co-mark-problem" role="alert">
            {problem}
          </span>
        )}
        {isOwn && template !== undefined && (
          <Button kind="danger" onClick={() => void remove(template.templateId)}>
            {t('company.mark.delete')}
          </Button>
        )}
        <Button onClick={() => set(defaultWatermark)}>{t('company.mark.usual')}</Button>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" disabled={busy || isEmpty} onClick={() => void save()}>
          {t('company.mark.save')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface FormProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  readonly onWrong: (why: string) => void
}

function TemplateForm({ draft, set, onWrong }: FormProps): ReactNode {
  const t = useT()
  const id = useId()
  const takePicture = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > largestPicture || !/^image\/(png|jpeg|webp)$/.test(file.type))
      return onWrong(t('company.mark.pictureWrong'))
    const image = await new Promise<string>((resolve) => {
      const reader = new FileReader()
      reader.onload = () => resolve(reader.result as string)
      reader.readAsDataURL(file)
    })
    set({ image })
  }
  return (
    <div className="co-mark-form">
      <label htmlFor={`${id}-name`}>{t('company.mark.name')}</label>
      <span className="k-input">
        <input
          id={`${id}-name`}
          value={draft.templateName}
          maxLength={60}
          autoFocus
          onChange={({ target }) => set({ templateName: target.value })}
        />
      </span>
      <TextField id={`${id}-text`} text={draft.text} onText={(text) => set({ text })} />
      <span>{t('company.mark.picture')}</span>
      <div className="co-mark-row">
        <label className="co-mark-file">
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={({ target }) => void takePicture(target.files?.[0])}
          />
          {t(draft.image === '' ? 'company.mark.choosePicture' : 'company.mark.otherPicture')}
        </label>
        {draft.image !== '' && (
          <Button size="small" onClick={() => set({ image: '' })}>
            {t('company.mark.noPicture')}
          </Button>
        )}
      </div>
      <Slider name="rotate" value={draft.rotate} onValue={(rotate) => set({ rotate })} />
      <Slider name="padding" value={draft.padding} onValue={(padding) => set({ padding })} />
      <Slider name="opacity" value={draft.opacity} onValue={(opacity) => set({ opacity })} />
      <Slider name="lineGap" value={draft.lineGap} onValue={(lineGap) => set({ lineGap })} />
      <span>{t('company.mark.letters')}</span>
      <div className="co-mark-row">
        <Select
          label={t('company.mark.size')}
          value={draft.size}
          options={[...new Set([...sizes, draft.size])]
            .sort((a, b) => a - b)
            .map((n) => ({ value: n, label: String(n) }))}
          onChange={(size) => set({ size })}
        />
        <input
          type="color"
          aria-label={t('company.mark.color')}
          value={draft.color}
          onChange={({ target }) => set({ color: target.value.toLowerCase() })}
        />
      </div>
      <span>{t('company.mark.layout')}</span>
      <FilterChips
        label={t('company.mark.layout')}
        value={draft.layout}
        options={watermarkLayouts.map((value) => ({ value, label: t(`company.mark.layout.${value}`) }))}
        onChange={(layout) => set({ layout })}
      />
      <span>{t('company.mark.where')}</span>
      <div className="co-mark-row">
        <Checkbox
          label={t('company.mark.onPreview')}
          checked={draft.onPreview}
          onChange={({ target }) => set({ onPreview: target.checked })}
        />
        <Checkbox
          label={t('company.mark.onDownload')}
          checked={draft.onDownload}
          onChange={({ target }) => set({ onDownload: target.checked })}
        />
      </div>
    </div>
  )
}

interface TextFieldProps {
  readonly id: string
  readonly text: string
  readonly onText: (text: string) => void
}

/** The text of the watermark, and the words that stand for what differs. */
function TextField({ id, text, onText }: TextFieldProps): ReactNode {
  const t = useT()
  const words = useRef<HTMLTextAreaElement>(null)
  const insert = (word: WatermarkPlaceholder): void => {
    const field = words.current
    const [from, to] = [field?.selectionStart ?? text.length, field?.selectionEnd ?? text.length]
    const next = `${text.slice(0, from)}{${word}}${text.slice(to)}`
    if (next.length > maxWatermarkLength) return
    onText(next)
    field?.focus()
  }
  return (
    <>
      <label htmlFor={id}>{t('company.mark.text')}</label>
      <div>
        <textarea
          id={id}
          ref={words}
          rows={4}
          maxLength={maxWatermarkLength}
          spellCheck={false}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
        <div className="co-mark-words" role="group" aria-label={t('company.mark.insert')}>
          <small>{t('company.mark.insert')}</small>
          {watermarkPlaceholders.map((word) => (
            <button key={word} type="button" onClick={() => insert(word)}>
              {t(`company.mark.word.${word}`)}
            </button>
          ))}
        </div>
      </div>
    </>
  )
}

interface SliderProps {
  readonly name: keyof typeof bounds
  readonly value: number
  readonly onValue: (value: number) => void
}

function Slider({ name, value, onValue }: SliderProps): ReactNode {
  const t = useT()
  const id = useId()
  const [min, max, step] = bounds[name]
  return (
    <>
      <label htmlFor={id}>{t(`company.mark.${name}`)}</label>
      <div className="co-mark-slider">
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          onChange={({ target }) => onValue(Number(target.value))}
        />
        <output htmlFor={id}>
          {value}
          {name === 'rotate' && '°'}
        </output>
      </div>
    </>
  )
}

/** How the watermark looks on a page. */
function TemplatePreview({ draft }: { readonly draft: Draft }): ReactNode {
  const t = useT()
  const session = useSession()
  const [ground, setGround] = useState<(typeof grounds)[number]>('light')
  return (
    <div className="co-mark-preview">
      <FilterChips
        label={t('company.mark.ground')}
        value={ground}
        options={grounds.map((value) => ({ value, label: t(`company.mark.ground.${value}`) }))}
        onChange={setGround}
      />
      <div className="co-mark-page" data-ground={ground} aria-label={t('company.mark.preview')} role="img">
        <h4>{t('company.mark.sample.title')}</h4>
        {[1, 2, 3, 4, 5, 6].map((n) => (
          <p key={n}>{t('company.mark.sample.text')}</p>
        ))}
        <WatermarkOverlay watermark={sampleOf(draft, session, t)} />
      </div>
      <small>{t('company.mark.sampleOf', { name: session.account.accountName })}</small>
    </div>
  )
}
