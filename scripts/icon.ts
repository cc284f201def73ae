/** Renders `images/icon.png`, which the marketplace requires, from `images/icon.svg`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './root.ts';
import { CHROMIUM, findCommand } from './systemPackages.ts';

const svg = await readFile(path.join(root, 'images', 'icon.svg'), 'utf8');
const browser = await chromium.launch({ executablePath: findCommand(...CHROMIUM.commands), args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.setContent(`<body style="margin: 0">${svg}`);
await page.screenshot({ path: path.join(root, 'images', 'icon.png'), omitBackground: true });
await browser.close();
