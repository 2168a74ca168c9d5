// The method by which two versions of a file are compared, by extension.
import { extNameOf } from '@cloudoc/domain'

/** Two versions, older first. */
export type VersionPair = readonly [older: number, newer: number]

export type ComparisonKind = 'words' | 'cells' | 'sight'

const exts: Readonly<Record<ComparisonKind, string>> = {
  words:
    'docx docm dotx doc dot wps rtf pptx pptm ppsx ppt pps dps odt ott odp otp ofd epub pdf md markdown html htm eml txt ' +
    'log json jsonl xml css scss js mjs ts ' +
    'tsx jsx vue py java kt c h cpp hpp cs go rs rb php sh bat ps1 sql yml yaml toml ini conf cfg properties srt vtt tex',
  cells: 'xlsx xlsm xltx xls xlt et ods ots csv tsv',
  sight: 'png jpg jpeg gif webp bmp svg tif tiff avif',
}

const byExt: ReadonlyMap<string, ComparisonKind> = new Map(
  Object.entries(exts).flatMap(([by, list]) => list.split(' ').map((ext) => [ext, by as ComparisonKind] as const)),
)

/** Returns the comparison method for files of that name, or undefined if they cannot be compared. */
export function comparisonKind(name: string): ComparisonKind | undefined {
  return byExt.get(extNameOf(name).toLowerCase())
}

export const isComparable = (name: string): boolean => comparisonKind(name) !== undefined
