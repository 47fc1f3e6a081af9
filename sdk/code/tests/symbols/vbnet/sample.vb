Imports System.Text

' What people buy.
Public Class Cart
    Inherits Base

    Private Const Limit As Integer = 10
    Public Property Name As String

    Public Sub New(name As String)
        Me.Name = name
    End Sub

    ''' <summary>Adds up.</summary>
    <Obsolete("use Sum")>
    Public Function Total(items As List(Of Item)) As Double
        If items.Count > 0 Then
            Console.WriteLine("Sub Fake()")
        End If
        Return items.Sum(Function(i) i.Price)
    End Function

    Private Sub Hidden()
    End Sub
End Class

Enum Shape
    Circle
End Enum

Module Helpers
    PUBLIC SUB Reset()
    END SUB
End Module
