// The Chinese texts about servers in a list; server-texts.en.ts has the same keys.
export const serverNotesZh = {
  'linked.waiting': '{names} 还没有回应，结果到达后会补在这里。',
  'linked.late': '{names} 的内容稍后到达，排在最后。',
} as const
