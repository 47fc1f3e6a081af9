@echo off
rem What people buy.
set LIMIT=10
call lib.bat
goto :main

:: Adds up.
:total
set /a SUM=%1+%2
exit /b

:main
call :total 1 2
