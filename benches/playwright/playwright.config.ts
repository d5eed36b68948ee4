import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  workers: Number(process.env.WORKERS || 2),
  retries: 0,
  reporter: 'line',
  use: {
    baseURL: process.env.BASE,
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 720 },
    trace: 'off',
    screenshot: 'off',
    video: 'off',
    launchOptions: { executablePath: process.env.CHROME, args: (process.env.CHROME_ARGS || '').split(' ').filter(Boolean) },
  },
});
