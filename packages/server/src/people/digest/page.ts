// The HTML of the mail. Mail clients support tables and inline styles only, and nothing is fetched.
import type { Locale } from '@cloudoc/domain'

interface DigestContent {
  readonly locale: Locale
  readonly company: string
  readonly intro: string
  readonly lines: readonly { readonly text: string; readonly when: string; readonly url: string }[]
  readonly rest: string | undefined
  readonly all: { readonly text: string; readonly url: string }
  readonly why: string
}

const fonts = "'Segoe UI','Microsoft YaHei','PingFang SC',Helvetica,Arial,sans-serif"
const link = 'color:#1450c8;text-decoration:none'
const cell = 'padding:12px 0;border-bottom:1px solid #e6e9ef;font-size:15px;line-height:22px'
const quiet = 'color:#5b6475;font-size:13px;line-height:20px'

export function mailPage({ locale, company, intro, lines, rest, all, why }: DigestContent): string {
  const rows = lines.map(
    ({ text, when, url }) =>
      `<tr><td style="${cell}"><a href="${escaped(url)}" style="${link}">${escaped(text)}</a><br>` +
      `<span style="${quiet}">${escaped(when)}</span></td></tr>`,
  )
  return [
    `<!doctype html><html lang="${locale === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"></head>',
    `<body style="margin:0;padding:24px 12px;background:#f3f5f9;font-family:${fonts};color:#1b2333">`,
    '<table role="presentation" align="center" cellpadding="0" cellspacing="0" width="100%" style="max-width:600px;margin:0 auto">',
    `<tr><td style="padding:0 4px 12px;font-size:16px;font-weight:600">${escaped(company)}</td></tr>`,
    '<tr><td style="padding:24px;background:#ffffff;border:1px solid #e0e4ec;border-radius:8px">',
    `<p style="margin:0 0 8px;font-size:18px;line-height:26px;font-weight:600">${escaped(intro)}</p>`,
    '<table role="presentation" cellpadding="0" cellspacing="0" width="100%">',
    ...rows,
    ...(rest === undefined ? [] : [`<tr><td style="${cell};color:#5b6475">${escaped(rest)}</td></tr>`]),
    '</table>',
    `<p style="margin:20px 0 0"><a href="${escaped(all.url)}" style="display:inline-block;padding:9px 18px;`,
    `border-radius:6px;background:#1450c8;color:#ffffff;font-size:15px;text-decoration:none">${escaped(all.text)}</a></p>`,
    '</td></tr>',
    `<tr><td style="padding:12px 4px 0;${quiet}">${escaped(why)}</td></tr>`,
    '</table></body></html>',
  ].join('\n')
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => marks[mark] ?? mark)
