// The audio and video player of the browser, with playback speed; audio has a waveform for seeking.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { FastForward20Regular, Rewind20Regular } from '../../kit/icons.ts'
import { BarButton } from '../controls/page-bar.tsx'
import { hasPlayedPastStart } from './video-thumbnail.ts'
import { readWaveform, waveformPath } from './waveform.ts'

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]

interface MediaViewerProps {
  readonly kind: 'audio' | 'video'
  readonly url: string
  readonly ext: string
  readonly size: number
  readonly onFail: () => void
  /** Receives a playing video once it has a visible frame. */
  readonly onSeen?: ((film: HTMLVideoElement) => void) | undefined
}

/** Plays audio or video. */
export function MediaViewer({ kind, url, ext, size, onFail, onSeen }: MediaViewerProps): ReactNode {
  const t = useT()
  const media = useRef<HTMLMediaElement>(null)
  const [speed, setSpeed] = useState(1)
  const at = speeds.indexOf(speed)
  const choose = (n: number): void => {
    const chosen = speeds[n]
    if (chosen === undefined) return
    setSpeed(chosen)
    playAt(media.current, chosen)
  }
  const common = {
    src: url,
    controls: true,
    autoPlay: true,
    onError: onFail,
    // Some browsers reset the speed at each start.
    onPlay: () => playAt(media.current, speed),
  }
  return (
    <>
      {kind === 'video' ? (
        <video
          {...common}
          className="pv-video"
          ref={media as React.RefObject<HTMLVideoElement | null>}
          {...(onSeen && {
            onTimeUpdate: ({ currentTarget }: { readonly currentTarget: HTMLVideoElement }) => {
              if (hasPlayedPastStart(currentTarget)) onSeen(currentTarget)
            },
          })}
        />
      ) : (
        <div className="pv-audio">
          <FileIcon ext={ext} size={64} />
          <Wave url={url} size={size} media={media} />
          <audio {...common} ref={media} />
        </div>
      )}
      {/* A video has its own controls at the bottom. */}
      <div
        className={kind === 'video' ? 'pv-bar is-top' : 'pv-bar'}
        role="toolbar"
        aria-label={t('drive.preview.speed')}
      >
        <BarButton label={t('drive.preview.slower')} keys="-" disabled={at === 0} onClick={() => choose(at - 1)}>
          <Rewind20Regular />
        </BarButton>
        <button
          type="button"
          className="pv-speed"
          data-key="0"
          title={`${t('drive.preview.usualSpeed')} (0)`}
          aria-label={`${t('drive.preview.speed')} ${speed}×`}
          onClick={() => choose(speeds.indexOf(1))}
        >
          {speed}×
        </button>
        <BarButton
          label={t('drive.preview.faster')}
          keys="+"
          disabled={at === speeds.length - 1}
          onClick={() => choose(at + 1)}
        >
          <FastForward20Regular />
        </BarButton>
      </div>
    </>
  )
}

function playAt(player: HTMLMediaElement | null, speed: number): void {
  if (player !== null) player.playbackRate = speed
}

function goTo(player: HTMLMediaElement | null, share: number): void {
  if (player !== null && player.duration > 0) player.currentTime = share * player.duration
}

interface WaveProps {
  readonly url: string
  readonly size: number
  readonly media: React.RefObject<HTMLMediaElement | null>
}

/** The waveform with the current position; nothing if decoding would be too expensive. */
function Wave({ url, size, media }: WaveProps): ReactNode {
  const t = useT()
  const [peaks, setPeaks] = useState<readonly number[]>()
  const [share, setShare] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    readWaveform(url, size, leaving.signal).then(setPeaks, () => undefined)
    return () => leaving.abort()
  }, [url, size])
  useEffect(() => {
    const player = media.current
    if (player === null) return
    const follow = (): void => setShare(player.duration > 0 ? player.currentTime / player.duration : 0)
    player.addEventListener('timeupdate', follow)
    return () => player.removeEventListener('timeupdate', follow)
  }, [media])
  if (peaks === undefined) return null
  const path = waveformPath(peaks)
  return (
    <div className="pv-wave">
      <svg viewBox={`0 0 ${peaks.length} 2`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
        <path d={path} className="is-played" style={{ clipPath: `inset(0 ${(1 - share) * 100}% 0 0)` }} />
      </svg>
      <input
        type="range"
        min={0}
        max={1000}
        value={Math.round(share * 1000)}
        aria-label={t('drive.preview.position')}
        onChange={({ target }) => {
          goTo(media.current, Number(target.value) / 1000)
          setShare(Number(target.value) / 1000)
        }}
      />
    </div>
  )
}
