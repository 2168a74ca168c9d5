// Names for the crowded samples of windows, which the gallery shows.

/** The longest possible names, one for each way in which a line can break. */

export const longNames = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const words = ['关于渠道合作协议补充条款的说明', 'W', 'annual report ', 'تقرير المبيعات '][i % 4] ?? ''
    return `${words.repeat(255).slice(0, 240).trim()} ${i + 1}.docx`
  })
export const longName = (): string => longNames(2).at(-1) ?? ''
