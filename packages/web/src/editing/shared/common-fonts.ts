/** Fonts that nearly every computer in China has. */
export const commonFonts = '宋体 黑体 仿宋 楷体 微软雅黑 等线'.split(' ').concat('Arial', 'Calibri', 'Times New Roman')
