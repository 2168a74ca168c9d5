// The icons of the visitor page: a folder, or a sheet in the hue of its file kind.
import type { ReactNode } from 'react'

const hues: Readonly<Record<string, string>> = {
  doc: 'doc docx wps odt rtf',
  xls: 'xls xlsx et ods csv tsv',
  ppt: 'ppt pptx dps odp',
  pdf: 'pdf ofd',
  img: 'png jpg jpeg gif bmp webp svg tif tiff heic psd ai',
  av: 'mp3 wav flac m4a mp4 mov avi mkv webm',
  zip: 'zip rar 7z tar gz',
  cad: 'dwg dxf',
}

interface TypeIconProps {
  readonly of: { readonly fType: 1 | 2; readonly extName: string }
  readonly size: number
}

export function TypeIcon({ of: { fType, extName }, size }: TypeIconProps): ReactNode {
  const ext = extName.toLowerCase()
  const letters = ext.slice(0, 4).toUpperCase()
  const hue = fType === 2 ? 'folder' : (Object.keys(hues).find((one) => hues[one]?.split(' ').includes(ext)) ?? 'txt')
  return (
    <svg className="vi-sign" data-hue={hue} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {fType === 2 ? (
        <path d="M2 6.5A2.5 2.5 0 0 1 4.5 4h4.7l2.3 2.5h8A2.5 2.5 0 0 1 22 9v8.5a2.5 2.5 0 0 1-2.5 2.5h-15A2.5 2.5 0 0 1 2 17.5z" />
      ) : (
        <>
          <path d="M6 2h8.5L20 7.5V20a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM14.5 2v4A1.5 1.5 0 0 0 16 7.5h4" />
          <text x="12" y="16.8" textAnchor="middle" data-letters={letters.length}>
            {letters}
          </text>
        </>
      )}
    </svg>
  )
}
