// What is around the field of a message: emojis, files, pictures, cards, screenshots, and the row that sends.
import { limits } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { canCaptureScreen, captureScreen } from '../../core/bridge/desktop.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  Attach20Regular,
  Cloud20Regular,
  Emoji20Regular,
  EyeOff20Regular,
  Image20Regular,
  Mention20Regular,
  Screenshot20Regular,
  Send20Regular,
} from '../../kit/icons.ts'
import { hidesForScreenshots, setHidesForScreenshots } from '../state/screenshots.ts'

const emojis = '😀 😄 😂 😊 😍 😘 🤔 😅 😭 😡 👍 👎 👌 🙏 👏 💪 🎉 ❤️ 🔥 ✅ ❌ ⏰ 📎 📌 🚀 ☕ 🌹 🍻'.split(' ')
const counterFrom = 1800

interface ComposerToolsProps {
  readonly isGroup: boolean
  readonly onInsert: (text: string) => void
  readonly onFiles: (files: readonly File[], asFiles: boolean) => void
  readonly onPicture: (picture: File) => void
  readonly onCards: () => void
  readonly onMention: () => void
}

/** The buttons above the field. */
export function ComposerTools({
  isGroup,
  onInsert,
  onFiles,
  onPicture,
  onCards,
  onMention,
}: ComposerToolsProps): ReactNode {
  const t = useT()
  const [hides, setHides] = useState(hidesForScreenshots)
  const [hasEmojis, setEmojis] = useState(false)
  const takeScreenshot = async (): Promise<void> => {
    const bytes = await captureScreen(hides).catch(() => undefined)
    if (bytes === undefined) return toast({ text: t('im.screenshotFailed'), kind: 'error' })
    onPicture(new File([new Uint8Array(bytes)], `${t('im.screenshot')}.png`, { type: 'image/png' }))
  }

  const pickFiles = (accept: '' | 'image/*'): void => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.accept = accept
    input.onchange = () => onFiles([...(input.files ?? [])], accept === '')
    input.click()
  }
  return (
    <>
      <div className="im-tools">
        <IconButton
          label={t('im.emoji')}
          icon={<Emoji20Regular />}
          pressed={hasEmojis}
          onClick={() => setEmojis(!hasEmojis)}
        />
        <IconButton label={t('im.file')} icon={<Attach20Regular />} onClick={() => pickFiles('')} />
        <IconButton label={t('im.picture')} icon={<Image20Regular />} onClick={() => pickFiles('image/*')} />
        <IconButton label={t('im.card')} icon={<Cloud20Regular />} onClick={onCards} />
        {canCaptureScreen() && (
          <>
            <IconButton
              label={t('im.screenshot')}
              icon={<Screenshot20Regular />}
              onClick={() => void takeScreenshot()}
            />
            <IconButton
              label={t('im.screenshotHides')}
              icon={<EyeOff20Regular />}
              pressed={hides}
              onClick={() => {
                setHidesForScreenshots(!hides)
                setHides(!hides)
              }}
            />
          </>
        )}
        {isGroup && <IconButton label={t('im.mention')} icon={<Mention20Regular />} onClick={onMention} />}
        <span className="im-hint">{t('im.enterSends')}</span>
      </div>
      {hasEmojis && (
        <div className="im-emojis">
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              onClick={() => {
                onInsert(emoji)
                setEmojis(false)
              }}
            >
              {emoji}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

interface SendRowProps {
  readonly text: string
  /** A picture that can be sent in place of the pasted text, or a screenshot. */
  readonly picture: File | undefined
  readonly canSend: boolean
  readonly isEditing: boolean
  readonly onPicture: (picture: File) => void
  readonly onFile: () => void
  readonly onSend: () => void
}

/** The row below the field. */
export function SendRow({ text, picture, canSend, isEditing, onPicture, onFile, onSend }: SendRowProps): ReactNode {
  const t = useT()
  const tooLong = text.length > limits.longestMessage
  return (
    <div className="im-send">
      {picture !== undefined && (
        <Button size="small" onClick={() => onPicture(picture)}>
          {t('im.asPicture')}
        </Button>
      )}
      {tooLong && (
        <>
          <span className="im-problem" role="alert">
            {t('im.tooLong', { most: limits.longestMessage, n: text.length })}
          </span>
          <Button size="small" onClick={onFile}>
            {t('im.asFile')}
          </Button>
        </>
      )}
      {!tooLong && text.length >= counterFrom && (
        <span className="im-count">{t('im.count', { n: text.length, most: limits.longestMessage })}</span>
      )}
      <Button kind="primary" icon={<Send20Regular />} disabled={!canSend} onClick={onSend}>
        {t(isEditing ? 'im.save' : 'im.sendNow')}
      </Button>
    </div>
  )
}
